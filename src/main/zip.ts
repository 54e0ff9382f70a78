import { crc32, deflateRawSync } from 'node:zlib'

/** A zip file, which every system opens and every issue tracker takes. */

export interface ZipEntry {
  /** Of ASCII characters. */
  readonly name: string
  readonly content: string | Uint8Array
}

/** Version 2.0 of the format is needed to read it, and method 8 is deflate. */
const VERSION = 20
const DEFLATE = 8
/** 1 January 1980, midnight. */
const DATE = 0x21
const ONLY_OWNER = 0o100600

export function createZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    // As both headers have them, from the version that is needed to the length of the extra field.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(VERSION, 0)
    facts.writeUInt16LE(DEFLATE, 4)
    facts.writeUInt16LE(DATE, 8)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(ONLY_OWNER * 0x10000, 6)
    place.writeUInt32LE(offset, 10)
    const file = [Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed]
    // Made on Unix, so that the mode counts.
    directory.push(Buffer.from(`PK\x01\x02${String.fromCharCode(VERSION, 3)}`), facts, place, Buffer.from(name))
    files.push(...file)
    offset += file.reduce((sum, { length }) => sum + length, 0)
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, ...directory, end])
}
