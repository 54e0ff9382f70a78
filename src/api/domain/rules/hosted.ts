import { WorldKind } from '../../contract/control/worlds.ts'
import { ApiError } from '../../contract/errors.ts'
import { hostedRules, ruleConcerns, WITHOUT_HOSTED } from '../../contract/hosted.ts'
import { areEqual } from '../../store/equal.ts'
import type { ReadTx } from '../../store/tx.ts'
import type { ClockState, ProgramRecord, ReadWorld, WebhookRecord } from '../../store/world.ts'

/** A Program that behaves as the hosted sandbox of the platform: `contract/hosted.ts` has its rules. */

type Behaving = Pick<ProgramRecord, 'behaves_as'>

export const isHosted = ({ behaves_as }: Behaving): boolean => behaves_as === 'hosted'

/** Throws what the hosted sandbox answers to a request that it does not offer. */
export function refuseAsHosted(tx: ReadTx, endpoint: string, body: unknown) {
  if (!isHosted(tx.program)) return
  const request = {
    body,
    program: tx.program,
    categoryOf: (uid: unknown) => tx.synthetic_account_types.get(String(uid))?.synthetic_account_category,
  }
  const rule = hostedRules.find((one) => one.refusal && ruleConcerns(one, endpoint, request))
  if (rule?.refusal) throw new ApiError(rule.refusal, undefined, WITHOUT_HOSTED, undefined, { setting: 'behaves_as' })
}

export function refuseOtherSettings(program: ProgramRecord) {
  if (!isHosted(program)) return
  for (const { published, settings = {} } of hostedRules)
    for (const [name, value] of Object.entries(settings))
      if (!areEqual((program as object as Record<string, unknown>)[name], value))
        throw new ApiError(
          'invalidArgument',
          `${name}: ${JSON.stringify(value)} is expected (${published}): ${WITHOUT_HOSTED}`,
        )
}

/** Where all Programs keep the pace fast, the clock has no other. */
export const pacesOf = ({ collections }: ReadWorld): ClockState['pace'][] =>
  collections.programs.inOrder().every(isHosted) ? ['fast'] : ['fast', 'real']

export const NO_REAL_PACE = `payments take seconds, as ${WITHOUT_HOSTED}`

export function refuseRealPace(world: ReadWorld, pace: ClockState['pace'] | undefined) {
  if (pace && !pacesOf(world).includes(pace)) throw new ApiError('invalidArgument', `pace: ${NO_REAL_PACE}`)
}

/** By its first Program. */
export const isHostedWorld = ({ collections }: Pick<ReadWorld, 'collections'>): boolean =>
  collections.programs.inOrder().slice(0, 1).some(isHosted)

/** A hosted world is started over as one. */
export const kindsOfReset = (world: ReadWorld): WorldKind[] =>
  isHostedWorld(world) ? ['hosted'] : [...WorldKind.options]

export function refuseUnencrypted({ program }: Pick<ReadTx, 'program'>, webhook: WebhookRecord) {
  if (isHosted(program) && webhook.url !== null && webhook.pgp_public_key === null)
    throw new ApiError(
      'missingParameter',
      `pgp_public_key is missing: webhook details are always encrypted. Give one (--pgp-key FILE of sandbank listen and sandbank webhooks), or no url (events are kept, and sent nowhere): ${WITHOUT_HOSTED}`,
    )
}
