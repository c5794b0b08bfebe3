"""The demo businesses of a data folder: made in the service, connected to the dashboard, and moved with the ports."""

from __future__ import annotations

import json

from config import demo_months
from config.demo_months import DemoMonths
from config.embedded import RunningProcess, write_private
from config.program_processes import ProgramProcesses
from config.stores import CLOSE_S

# How many expenses the demo businesses have: for people a year's, for tests a few. Half a minute, or seconds.
DEMO_EXPENSES, FEW_EXPENSES = "20000", "400"


class DemoBusinesses(ProgramProcesses):
    """Both programs' processes, and the commands that give them two businesses."""

    # Whether the demo's months are made while people work already, by a process of their own.
    months_in_background = False
    months: DemoMonths | None = None

    def demo(self) -> None:
        """The demo businesses: made in the service first, then known to the dashboard. Made once; found again after."""
        self.finish_demo(self.begin_demo())

    def begin_demo(self) -> RunningProcess:
        """Makes the demo businesses in the service, which needs no more than its database for it; without the months
        before the running one, where these follow in the background."""
        only_today = ["--today"] if self.months_in_background else []
        self.say_step(
            "Making what two businesses have to do today"
            if only_today
            else "Making two businesses with a year behind them"
        )
        return self.command(
            "service", "demo", "--json", str(self.data / "service-demo.json"),
            "--expenses", self.outer.get("DEMO_EXPENSES", FEW_EXPENSES),
            # {number} is the order of the businesses here and there: the first one made is the first one connected.
            "--webhooks", f"{self.address}/-/hooks/{{number}}/", *only_today,
        )  # fmt: skip

    def finish_demo(self, making: RunningProcess) -> None:
        """Waits for the service's demo and makes it known to the dashboard."""
        self.say_step("Waiting for the two businesses")
        self.finish("Making the demo data", making, "service")
        source = str(self.data / "service-demo.json")
        self.say_step("Connecting the two businesses to the dashboard")
        self.finish("Connecting the demo businesses", self.command("dashboard", "demo", "--from", source), "dashboard")
        top_ups = self.command("dashboard", "demo_top_ups", "--from", source)
        self.finish("Setting up recurring top-ups", top_ups, "dashboard")
        if not self.months_in_background:
            demo_months.mark_whole(self.data)

    def begin_months(self) -> None:
        """Goes on with the demo's months in the background, where some are missing."""
        if self.months_in_background and not demo_months.is_whole(self.data):
            self.months = DemoMonths(self.data, self.command, self._log_of("service-commands"))

    def follow_ports(self) -> None:
        """On other ports than before: the demo's connections and webhooks lead to where the programs are now."""
        file = self.data / "demo.json"
        demo = json.loads(file.read_text())
        now = {"dashboard": self.address, "service": self.service_address}
        before = {program: demo[program]["address"] for program in now}
        if before == now:
            return
        # Each program keeps the address of the other one.
        commands = {
            program: self.command(program, "move_demo", "--from", before[other], "--to", now[other])
            for program, other in (("dashboard", "service"), ("service", "dashboard"))
        }
        for program, command in commands.items():
            self.finish("Moving the demo to other ports", command, program)
        for program, address in now.items():
            demo[program]["address"] = address
        write_private(file, json.dumps(demo, indent=1))

    def end_months(self, seconds: float) -> None:
        """Ends what goes on with the demo's months: the next start does."""
        if self.months is not None:
            self.months.stop(seconds)

    def close_programs(self, seconds: float = CLOSE_S) -> None:
        """As without the demo, and what goes on with its months ends first."""
        self.end_months(seconds)
        super().close_programs(seconds)
