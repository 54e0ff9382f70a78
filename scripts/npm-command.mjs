/**
 * How to start npm. npm names its script in `npm_execpath`, which Node runs without a shell, so that a path with spaces (`Program Files`)
 * needs no quotes. Without it the npm of the PATH is used, on Windows a batch file, which needs a shell.
 */
export function npmCommand(args, { env = process.env, execPath = process.execPath, platform = process.platform } = {}) {
  const script = env.npm_execpath
  if (script?.endsWith('.js')) return { command: execPath, args: [script, ...args], shell: false }
  const shell = platform === 'win32'
  return { command: 'npm', args: shell ? args.map(quoteForWindows) : args, shell }
}

const quoteForWindows = (arg) => (/^[\w.:/\\=@-]+$/.test(arg) ? arg : `"${arg}"`)
