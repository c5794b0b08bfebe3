"""`manage.py up --cluster`: a deployment's shape as processes of this machine (docs/deploy.md, deploy/compose.yaml)."""
