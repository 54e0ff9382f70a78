import { createRequire } from 'node:module'

interface Dom {
  JSDOM: new (text: string, options: { contentType: string }) => { window: { document: Document } }
}

/** Text as XML; it throws where it is not well-formed. jsdom as a mere parser: its environment would cost a worker. */
export function parseXml(text: string): Document {
  const { JSDOM } = createRequire(import.meta.url)('jsdom') as Dom
  return new JSDOM(text, { contentType: 'text/xml' }).window.document
}
