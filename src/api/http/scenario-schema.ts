import { createScenarioSchema } from '../contract/scenario-schema.ts'
import { decisionsFor } from '../domain/resources/decisions.ts'

/** The JSON Schema of scenario files, with the decisions of each collection. */
export const scenarioSchema = () => createScenarioSchema((collection) => decisionsFor(collection).names)

let served: Buffer | undefined

/** Created on first use. The same Buffer for all responses: a copy for each would fill the memory if clients do not read. */
export function scenarioSchemaDocument(): Buffer {
  served ??= Buffer.from(JSON.stringify(scenarioSchema()))
  return served
}
