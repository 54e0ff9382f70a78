// npm run test:electron: runs the journeys of the desktop app in a real Electron, as an ordinary user, on a display of its own if there
// is none. What is missing is fetched or installed where that is possible; else one line says what it is, and the exit code is 2.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { asOrdinaryUser, NoElectronError, openDisplay, requireElectron, requireLibraries } from './real-electron.mjs'

const CANNOT = 2

prepare()
try {
  const electron = requireElectron()
  if (process.platform === 'linux') requireLibraries(electron)
  const display = await openDisplay()
  const { env, ...user } = asOrdinaryUser()
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      // The default loader writes into the checkout, which the user may not.
      '--configLoader=runner',
      '--project=node',
      'test/desktop/electron',
      ...process.argv.slice(2),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      ...user,
      env: { ...process.env, ...env, ...display.env, ELECTRON_EXEC_PATH: electron },
    },
  )
  display.close()
  process.exitCode = status ?? 1
} catch (error) {
  if (!(error instanceof NoElectronError)) throw error
  console.error(`The desktop app was not tested in a real Electron: ${error.message}`)
  process.exitCode = CANNOT
}
