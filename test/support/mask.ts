import type { ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import { Mask as MaskInSteps, type MaskOptions } from '../../src/api/replay/bundles/mask.ts'
import type { Writer } from '../../src/api/replay/bundles/places.ts'
import { runToEnd } from '../../src/api/store/steps.ts'

type Learner = MaskInSteps['learn']

/** The mask of bundles, without pauses. */
export function createMask(options: MaskOptions) {
  const mask = new MaskInSteps(options)
  const { learn } = mask
  return {
    learn: {
      record: (...args: Parameters<Learner['record']>) => runToEnd(learn.record(...args)),
      value: (...args: Parameters<Learner['value']>) => runToEnd(learn.value(...args)),
      body: (...args: Parameters<Learner['body']>) => runToEnd(learn.body(...args)),
      path: (...args: Parameters<Learner['path']>) => runToEnd(learn.path(...args)),
      exchange: (...args: Parameters<Learner['exchange']>) => runToEnd(learn.exchange(...args)),
    },
    value: <T>(value: T): T => runToEnd(mask.value(value)),
    body: (text: string, contentType: string | undefined, by?: Writer) => runToEnd(mask.body(text, contentType, by)),
    path: (path: string) => runToEnd(mask.path(path)),
    exchange: (exchange: ExchangeDetail) => runToEnd(mask.exchange(exchange)),
    text: (text: string) => mask.text(text),
    headers: (...args: Parameters<typeof mask.headers>) => runToEnd(mask.headers(...args)),
    get cuts() {
      return mask.cuts
    },
    get outcomes() {
      return mask.outcomes
    },
  }
}

export type Mask = ReturnType<typeof createMask>
