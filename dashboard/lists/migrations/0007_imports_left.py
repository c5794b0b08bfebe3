from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lists", "0006_asked_in_words_and_the_lines_of_a_file"),
    ]

    operations = [
        migrations.AlterField(
            model_name="import",
            name="state",
            field=models.CharField(
                choices=[
                    ("CHECKED", "Checked"),
                    ("QUEUED", "Queued"),
                    ("RUNNING", "Running"),
                    ("UNDOING", "Taking back"),
                    ("DONE", "Done"),
                    ("FAILED", "Nothing was added"),
                    ("LEFT", "A part stands"),
                ],
                default="CHECKED",
                max_length=8,
            ),
        ),
    ]
