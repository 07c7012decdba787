"""The report of a session and a run over it: everything that goes into it is gathered here, once."""

from ..compaction.run import COMPACTED, Run
from ..evidence.doctor import diagnose
from ..evidence.expected import expected_after
from ..evidence.explain import explain
from ..evidence.inspection import inspect
from ..evidence.loss import losses
from ..evidence.timeline import timeline_of
from ..export.report import Report, report_html
from ..transcript.session import Session


def report_of(session: Session, run: Run) -> bytes:
    """The page as UTF-8."""
    settings = run.plan.settings
    timeline = timeline_of(session, settings)
    expected = expected_after(session, run.ground, run.work.sent) if run.outcome == COMPACTED else None
    report = Report(
        session.reader.name,
        inspect(session, settings),
        timeline,
        explain(session, run.ground, settings, timeline),
        tuple(losses(session)),
        diagnose(session),
        run,
        expected,
    )
    return report_html(report).encode()
