import { join } from 'node:path'
import type { ScenarioInfo } from '../contract/control/scenarios.ts'
import { ApiError } from '../contract/errors.ts'
import { createFolder, removeDurably, writeText } from '../store/files.ts'
import type { Steps } from '../store/steps.ts'
import { readScenario, readScenarioInSteps, type ScenarioFile, ScenarioFileError } from './file.ts'
import { readByName, SCENARIO_ENDINGS, scenarioNames } from './library.ts'
import { createPlans, type FindScenario } from './plan.ts'

/** The scenarios of a sandbox: those of the library, and the operator's own, which come first. */

/** What the list shows of a scenario, while the texts stay that it was made from: its own, and those of the scenarios that it begins with. */
interface CachedInfo {
  readonly madeFrom: ReadonlyMap<string, string | undefined>
  readonly info: Description
}
type Description = Omit<ScenarioInfo, 'own'>

/** By library folder, over all sandboxes of the process: parsing a whole library takes long. */
const libraryInfos = new Map<string, Map<string, CachedInfo>>()

export class ScenarioCatalog {
  readonly #library: string
  readonly #ownFolder: string | null
  /** The operator's own scenarios, without a folder. */
  readonly #inMemory = new Map<string, string>()
  readonly #ownInfos = new Map<string, CachedInfo>()

  readonly #onChange: () => void

  constructor(library: string, ownFolder: string | null, onChange = () => {}) {
    this.#library = library
    this.#ownFolder = ownFolder
    this.#onChange = onChange
  }

  /** Reads one scenario per step. One that is saved meanwhile may be missing. */
  *listInSteps(): Steps<ScenarioInfo[]> {
    const own = this.#ownNames()
    const library = scenarioNames(this.#library).filter((name) => !own.includes(name))
    const list: ScenarioInfo[] = []
    const find = this.createFinder()
    for (const name of [...own, ...library]) {
      const text = this.#text(name)
      if (text !== undefined) list.push(yield* this.#describe(name, text, find))
      yield
    }
    return list
  }

  read(name: string): { name: string; text: string; own: boolean } {
    const text = this.#text(name)
    if (text === undefined) throw new ApiError('routeNotFound', `there is no scenario "${name}"`)
    return { name, text, own: this.#ownText(name) !== undefined }
  }

  /** Saves invalid scenarios, too: the info tells what is wrong. */
  *saveInSteps(name: string, text: string): Steps<ScenarioInfo> {
    if (this.#ownFolder === null) this.#inMemory.set(name, text)
    else {
      createFolder(this.#ownFolder)
      writeText(join(this.#ownFolder, `${name}.yaml`), text)
    }
    this.#onChange()
    return yield* this.#describe(name, text, this.createFinder())
  }

  delete(name: string): boolean {
    const isOwn = this.#ownNames().includes(name)
    if (!isOwn && scenarioNames(this.#library).includes(name))
      throw new ApiError('invalidArgument', `name: "${name}" belongs to the library and cannot be deleted`)
    if (!isOwn) throw new ApiError('routeNotFound', `there is no scenario "${name}"`)
    this.#ownInfos.delete(name)
    if (this.#ownFolder === null) this.#inMemory.delete(name)
    else for (const ending of SCENARIO_ENDINGS) removeDurably(join(this.#ownFolder, name + ending))
    this.#onChange()
    return true
  }

  *#describe(name: string, text: string, find: FindScenario): Steps<ScenarioInfo> {
    const own = this.#ownText(name) !== undefined
    const infos = own ? this.#ownInfos : libraryInfosOf(this.#library)
    const textOf = (other: string) => (other === name ? text : this.#text(other))
    const known = infos.get(name)
    if (known && [...known.madeFrom].every(([other, before]) => textOf(other) === before)) return { ...known.info, own }
    const madeFrom = new Map<string, string | undefined>([[name, text]])
    const info = yield* describeScenario(name, text, (other, from) => {
      madeFrom.set(other, textOf(other))
      return find(other, from)
    })
    infos.set(name, { madeFrom, info })
    return { ...info, own }
  }

  /** Finds scenarios by name, own ones first, and reads each text once. */
  createFinder(): FindScenario {
    const known = new Map<string, ScenarioFile | ScenarioFileError>()
    return (name) => {
      const text = this.#text(name)
      if (text === undefined) return undefined
      const key = `${name} ${text}`
      const found = known.get(key) ?? readOrError(text, `${name}.yaml`)
      known.set(key, found)
      if (found instanceof ScenarioFileError) throw found
      return found
    }
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

function readOrError(text: string, file: string): ScenarioFile | ScenarioFileError {
  try {
    return readScenario(text, file)
  } catch (error) {
    if (error instanceof ScenarioFileError) return error
    throw error
  }
}

function libraryInfosOf(library: string): Map<string, CachedInfo> {
  const infos = libraryInfos.get(library) ?? new Map<string, CachedInfo>()
  libraryInfos.set(library, infos)
  return infos
}

function* describeScenario(name: string, text: string, find: FindScenario): Steps<Description> {
  try {
    const file = yield* readScenarioInSteps(text, `${name}.yaml`)
    yield
    const plans = createPlans(file, find)
    return {
      name,
      title: file.scenario.name,
      teaches: file.scenario.teaches ?? null,
      examples: plans.flatMap(({ example }) => example ?? []),
      steps: plans[0]?.stages.length ?? 0,
      adds: plans.every(({ needs_world }) => needs_world === null),
      trouble: null,
    }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
    return { name, title: name, teaches: null, examples: [], steps: 0, adds: false, trouble: error.message }
  }
}
