"""Faults of an array told apart: those that a run found, and those that it would have made."""

from collections.abc import Sequence

from ..conversation.array import assemble
from ..conversation.invariants import Fault, faults_of
from ..conversation.row import Row


def fault_keys(rows: Sequence[Row]) -> frozenset[tuple[str, str]]:
    """(kind, id) of each fault of an array, to tell inherited ones from new ones."""
    return frozenset(map(key_of_fault, faults_of(assemble(rows))))


def key_of_fault(fault: Fault) -> tuple[str, str]:
    """(kind, id): what tells a fault of one array from those of another."""
    return (fault.kind, fault.id or fault.uuid or "")


def new_faults(rows: Sequence[Row], inherited: frozenset[tuple[str, str]]) -> tuple[Fault, ...]:
    """The faults that the input did not have."""
    return tuple(f for f in faults_of(assemble(rows)) if key_of_fault(f) not in inherited)
