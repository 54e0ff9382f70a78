// What `npm run package` signs: what the variables of electron-builder in the environment allow. In the workflow they are secrets, which are
// empty where there are none.

const CERTIFICATE = {
  darwin: ['CSC_LINK', 'CSC_KEY_PASSWORD', 'CSC_NAME'],
  win32: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
}
const NOTARY = ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID']
const UNSIGNED = {
  darwin: 'The app is signed ad hoc, and Gatekeeper will refuse its first start',
  win32: 'The installer is not signed, and SmartScreen will warn of it',
}

/**
 * Options of electron-builder, its environment, and a line for each thing that is left out. Throws if only some variables are set.
 * Electron-builder would sign an app of Windows with the certificate for macOS, if there is no other.
 */
export function planSigning(platform, given) {
  const names = CERTIFICATE[platform] ?? []
  const others = Object.values(CERTIFICATE)
    .flat()
    .filter((name) => !names.includes(name) || !given[name])
  const env = Object.fromEntries(Object.entries(given).filter(([name]) => !others.includes(name)))
  if (names.length === 0) return { options: [], leftOut: [], env }
  const isSigned = areSet(names, env)
  if (!isSigned) return { options: [], leftOut: [`${UNSIGNED[platform]}: ${names.join(', ')} are not set`], env }
  if (platform !== 'darwin') return { options: [], leftOut: [], env }
  const isNotarized = areSet(NOTARY, env)
  const options = [`-c.mac.identity=${env.CSC_NAME}`, `-c.mac.notarize=${isNotarized}`]
  const leftOut = isNotarized ? [] : [`The app is not notarized: ${NOTARY.join(', ')} are not set`]
  return { options, leftOut, env }
}

function areSet(names, env) {
  const missing = names.filter((name) => !env[name])
  if (missing.length > 0 && missing.length < names.length)
    throw new Error(`${missing.join(', ')} is not set, expected with ${names.join(', ')}: set all of them, or none`)
  return missing.length === 0
}
