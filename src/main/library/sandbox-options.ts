/** In a file without imports, as its types are part of the package; `api/contract/library.ts` checks the values. */

export interface SandboxOptions {
  /** The port of 127.0.0.1. Default: a free one */
  readonly port?: number | undefined
  /** A data folder, which is created if it does not exist. Default: in memory only */
  readonly data?: string | undefined
  /** What a new world holds; `'hosted'` behaves as the platform's hosted sandbox, with its staged businesses. Default: `'demo'` */
  readonly world?: 'demo' | 'empty' | 'hosted' | undefined
  /** The same seed gives the same uids. Default: `'sandbank'` */
  readonly seed?: string | undefined
  /** Draws what the platform leaves open, for a new world: equal texts draw equally. Default: nothing is drawn */
  readonly hard_mode?: string | undefined
  /** The simulated time of a new world. Default in memory: Monday, 2026-11-23T15:00:00Z if the clock is frozen, else now */
  readonly start?: string | Date | undefined
  /** Default in memory: `'frozen'` */
  readonly clock?: 'frozen' | 'running' | undefined
  /** Whether payments take seconds, or the time of real ones. Default: `'fast'` */
  readonly pace?: 'fast' | 'real' | undefined
  /** At least 16 characters. Default: a random one */
  readonly control_key?: string | undefined
}
