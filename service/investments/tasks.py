"""What workers do about investments."""

from celery import shared_task

from service.investments import accrual, catalogue, opt_ins, settlement


@shared_task(name="service.investments.settle")
def settle() -> int:
    """Every 5 seconds: settles what is due with the fund manager."""
    return settlement.settle_due()


@shared_task(name="service.investments.accrue")
def accrue() -> int:
    """Every hour: brings interest up to yesterday, after the manager's catalogue with its yields."""
    catalogue.refresh()
    return accrual.accrue_all()


@shared_task(name="service.investments.expire")
def expire() -> int:
    """Every minute: ends opt-ins that nobody approved in time."""
    return opt_ins.expire_due()
