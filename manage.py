#!/usr/bin/env python3
"""up · test · demo · Django's own commands for the dashboard; `manage.py service …` for the service's."""

import os
import sys

if __name__ == "__main__":
    arguments = sys.argv[1:]
    program = "dashboard"
    if arguments[:1] == ["service"]:
        program, arguments = "service", arguments[1:]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", f"config.settings.{program}")
    from django.core.management import execute_from_command_line

    execute_from_command_line([sys.argv[0], *arguments])
