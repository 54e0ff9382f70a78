import sys

sys.path.insert(0, "node_modules/sandbank/resources/python")
pytest_plugins = ["sandbank_pytest"]
