@echo off
rem The command of an installed Sandbank: what stands behind -- is run by the app's own binary, without a window.
"%~dp0..\..\Sandbank.exe" -- %*
exit /b %errorlevel%
