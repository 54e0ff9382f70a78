import { createRequire } from 'node:module'

interface Dom {
  JSDOM: new (text: string, options: { contentType: string }) => { window: { document: Document } }
}

/** Parses XML; throws if it is not well-formed. Uses jsdom only as a parser, because its test environment needs a worker. */
export function parseXml(text: string): Document {
  const { JSDOM } = createRequire(import.meta.url)('jsdom') as Dom
  return new JSDOM(text, { contentType: 'text/xml' }).window.document
}
