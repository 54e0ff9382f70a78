import { configureGlobal } from 'fast-check'

/** Property tests draw the same examples in every run; SANDBANK_FC_SEED draws others. A failure prints its seed. */
export const PROPERTY_SEED = Number(process.env.SANDBANK_FC_SEED ?? 20_260_814)

configureGlobal({ seed: PROPERTY_SEED })
