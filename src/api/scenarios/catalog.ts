import { join } from 'node:path'
import type { ScenarioInfo } from '../contract/control/scenarios.ts'
import { ApiError } from '../contract/errors.ts'
import { createFolder, removeDurably, writeText } from '../store/files.ts'
import { runToEnd, type Steps } from '../store/steps.ts'
import { readScenario, readScenarioInSteps, type ScenarioFile, ScenarioFileError } from './file.ts'
import { readByName, SCENARIO_ENDINGS, scenarioNames } from './library.ts'
import { createPlans, type FindScenario } from './plan.ts'

/** The scenarios of a sandbox: those of the library, and the operator's own, which come first. */

interface CachedInfo {
  readonly text: string
  readonly info: ScenarioInfo
}

/** By library folder, over all sandboxes of the process: parsing a whole library takes long, and its files do not change. */
const libraryInfos = new Map<string, Map<string, CachedInfo>>()

export class ScenarioCatalog {
  readonly #library: string
  readonly #ownFolder: string | null
  /** The operator's own scenarios, without a folder. */
  readonly #inMemory = new Map<string, string>()
  /**
   * Used once there are own scenarios, which those of the library may begin with. Each save or deletion begins a new map, so
   * that a list that is being read does not add to it.
   */
  #infos = new Map<string, CachedInfo>()

  constructor(library: string, ownFolder: string | null) {
    this.#library = library
    this.#ownFolder = ownFolder
  }

  /** Reads one scenario per step. One that is saved meanwhile may be missing. */
  *listInSteps(): Steps<ScenarioInfo[]> {
    const own = this.#ownNames()
    const library = scenarioNames(this.#library).filter((name) => !own.includes(name))
    const list: ScenarioInfo[] = []
    let find = this.createFinder()
    let ownInfos = this.#infos
    for (const name of [...own, ...library]) {
      // A scenario was saved or deleted since the step before.
      if (ownInfos !== this.#infos) find = this.createFinder()
      ownInfos = this.#infos
      const infos = this.#ownNames().length === 0 ? infosOf(this.#library) : ownInfos
      const text = this.#text(name)
      if (text !== undefined) list.push(yield* describeOnce(name, text, this.#ownText(name) !== undefined, find, infos))
      yield
    }
    return list
  }

  read(name: string): { name: string; text: string; own: boolean } {
    const text = this.#text(name)
    if (text === undefined) throw new ApiError('routeNotFound', `there is no scenario "${name}"`)
    return { name, text, own: this.#ownText(name) !== undefined }
  }

  save(name: string, text: string): ScenarioInfo {
    return runToEnd(this.saveInSteps(name, text))
  }

  /** Saves invalid scenarios, too: the info tells what is wrong. */
  *saveInSteps(name: string, text: string): Steps<ScenarioInfo> {
    if (this.#ownFolder === null) this.#inMemory.set(name, text)
    else {
      createFolder(this.#ownFolder)
      writeText(join(this.#ownFolder, `${name}.yaml`), text)
    }
    // Others may begin with it.
    this.#infos = new Map()
    return yield* describeOnce(name, text, true, this.createFinder(), this.#infos)
  }

  delete(name: string): boolean {
    const isOwn = this.#ownNames().includes(name)
    if (!isOwn && scenarioNames(this.#library).includes(name))
      throw new ApiError('invalidArgument', `name: "${name}" belongs to the library and cannot be deleted`)
    if (!isOwn) throw new ApiError('routeNotFound', `there is no scenario "${name}"`)
    this.#infos = new Map()
    if (this.#ownFolder === null) this.#inMemory.delete(name)
    else for (const ending of SCENARIO_ENDINGS) removeDurably(join(this.#ownFolder, name + ending))
    return true
  }

  /** Finds scenarios by name, own ones first, and reads each once. */
  createFinder(): FindScenario {
    const known = new Map<string, ScenarioFile>()
    return (name) => {
      const file = known.get(name) ?? this.#readFile(name)
      if (file) known.set(name, file)
      return file
    }
  }

  #readFile(name: string): ScenarioFile | undefined {
    const text = this.#text(name)
    return text === undefined ? undefined : readScenario(text, `${name}.yaml`)
  }

  #ownNames(): string[] {
    return this.#ownFolder === null ? [...this.#inMemory.keys()].sort() : scenarioNames(this.#ownFolder)
  }

  #ownText(name: string): string | undefined {
    return this.#ownFolder === null ? this.#inMemory.get(name) : readByName(this.#ownFolder, name)?.text
  }

  #text(name: string): string | undefined {
    return this.#ownText(name) ?? readByName(this.#library, name)?.text
  }
}

function* describeOnce(
  name: string,
  text: string,
  own: boolean,
  find: FindScenario,
  infos: Map<string, CachedInfo>,
): Steps<ScenarioInfo> {
  const known = infos.get(name)
  if (known?.text === text) return known.info
  const info = yield* describeScenario(name, text, own, find)
  infos.set(name, { text, info })
  return info
}

function infosOf(library: string): Map<string, CachedInfo> {
  const infos = libraryInfos.get(library) ?? new Map<string, CachedInfo>()
  libraryInfos.set(library, infos)
  return infos
}

function* describeScenario(name: string, text: string, own: boolean, find: FindScenario): Steps<ScenarioInfo> {
  try {
    const file = yield* readScenarioInSteps(text, `${name}.yaml`)
    yield
    const plans = createPlans(file, find)
    return {
      name,
      title: file.scenario.name,
      teaches: file.scenario.teaches ?? null,
      own,
      examples: plans.flatMap(({ example }) => example ?? []),
      steps: plans[0]?.stages.length ?? 0,
      trouble: null,
    }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
    return { name, title: name, teaches: null, own, examples: [], steps: 0, trouble: error.message }
  }
}
