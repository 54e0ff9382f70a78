import { z } from 'zod'

/**
 * The part of HAR 1.2 (HTTP Archive) that a replay reads. Tools add fields that begin with `_`, write null for optional
 * fields, and omit some required ones, so only the necessary fields are required here.
 */

const text = z.string({ error: 'a text' })
const number = z.number({ error: 'a number' })
/** Browsers write 0 or -1 for a response that did not arrive. */
const status = z.int({ error: 'a whole number' }).max(999, { error: 'a status of HTTP' })

const Pair = z.object({ name: text, value: text.nullish() }, { error: 'an object with name and value' })
const Pairs = z.array(Pair, { error: 'a list' }).nullish()

const PostData = z.object(
  {
    mimeType: text.nullish(),
    text: text.nullish(),
    /** Chrome and mitmproxy write this field or `_encoding`; the format has it only for responses. */
    encoding: text.nullish(),
    _encoding: text.nullish(),
    params: Pairs,
  },
  { error: 'an object' },
)

const Content = z.object({
  mimeType: text.nullish(),
  size: number.nullish(),
  text: text.nullish(),
  encoding: text.nullish(),
})

export const HarEntry = z.object(
  {
    startedDateTime: text,
    request: z.object(
      {
        method: text,
        url: text,
        headers: Pairs,
        queryString: Pairs,
        postData: PostData.nullish(),
        bodySize: number.nullish(),
      },
      { error: 'an object' },
    ),
    response: z
      .object(
        {
          status,
          statusText: text.nullish(),
          headers: Pairs,
          content: Content.nullish(),
          bodySize: number.nullish(),
        },
        { error: 'an object' },
      )
      .nullish(),
    /** Chrome: "memory", "disk" or "prefetch" if the response came from there. */
    _fromCache: z.unknown().optional(),
    /** Chrome: "xhr", "fetch", "document", "preflight". */
    _resourceType: z.unknown().optional(),
  },
  { error: 'an object' },
)
export type HarEntry = z.infer<typeof HarEntry>

export const Har = z.object(
  {
    log: z.object(
      { version: z.literal('1.2', { error: '"1.2"' }), entries: z.array(HarEntry, { error: 'a list' }) },
      { error: 'an object' },
    ),
  },
  { error: 'an object' },
)
export type Har = z.infer<typeof Har>
