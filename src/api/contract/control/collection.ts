import { z } from 'zod'
import { collectionNames } from '../collection-names.ts'

/** The name of a collection. The method refuses an unknown one, with those that there are. */
export const Collection = z.string().meta({ enum: [...collectionNames] })
