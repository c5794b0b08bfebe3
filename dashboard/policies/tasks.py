"""The jobs of replays: weighing one, taking up again what a lost worker left, deleting what is old."""

from celery import shared_task

from dashboard.policies import replay_run, replays


@shared_task(name="dashboard.policies.replay", ignore_result=True)
def weigh(replay_id: str) -> bool:
    """Weighs the items of one replay."""
    return replay_run.run(replay_id)


@shared_task(name="dashboard.policies.requeue_lost", ignore_result=True)
def requeue_lost() -> int:
    """Starts again what a lost worker left; each 30 seconds."""
    left = replays.lost()
    for replay_id in left:
        weigh.delay(replay_id)
    return len(left)


@shared_task(name="dashboard.policies.forget_old", ignore_result=True)
def forget_old() -> int:
    """Deletes old replays; hourly."""
    return replays.forget_old()
