import { type FSWatcher, watch } from 'node:fs'
import { SCENARIO_ENDINGS } from '../api/sandbox.ts'

/** Editors save a file in several steps, so changes within this time count as one. */
const PAUSE_MS = 50

/** Calls `onChange` after scenario files in the folders have changed. */
export function watchScenarioFiles(folders: readonly string[], onChange: () => void): { close(): void } {
  let timer: NodeJS.Timeout | undefined
  const changed = (name: string | null) => {
    if (name !== null && !SCENARIO_ENDINGS.some((ending) => name.endsWith(ending))) return
    clearTimeout(timer)
    timer = setTimeout(onChange, PAUSE_MS)
  }
  const watchers = folders.map((folder): FSWatcher => {
    const watcher = watch(folder, (_event, name) => changed(name))
    // A folder that is removed is not watched any more; the next run reports what is missing.
    watcher.on('error', () => changed(null))
    return watcher
  })
  return {
    close: () => {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
