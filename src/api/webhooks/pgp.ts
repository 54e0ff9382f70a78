/**
 * Encrypts the details of events for a receiver (OpenPGP). The package is loaded with the first key: it takes 100 ms, and few webhooks have
 * one.
 */

type PublicKey = Awaited<ReturnType<Awaited<ReturnType<typeof loadPackage>>['readKey']>>

const loadPackage = () => import('openpgp')

const MAX_KEYS = 100
const known = new Map<string, Promise<PublicKey>>()

/** Throws if the text is no public key that can encrypt. */
export async function requirePublicKey(text: string): Promise<void> {
  await readPublicKey(text)
}

/** Returns the armored message, which has the details as JSON. */
export async function encryptDetails(details: Readonly<Record<string, unknown>>, publicKey: string): Promise<string> {
  const { createMessage, encrypt } = await loadPackage()
  const message = await createMessage({ text: JSON.stringify(details) })
  return encrypt({ message, encryptionKeys: await readPublicKey(publicKey) })
}

function readPublicKey(text: string): Promise<PublicKey> {
  const before = known.get(text)
  if (before) return before
  const key = parsePublicKey(text)
  if (known.size >= MAX_KEYS) known.clear()
  known.set(text, key)
  return key
}

async function parsePublicKey(text: string): Promise<PublicKey> {
  const { readKey } = await loadPackage()
  const key = await readKey({ armoredKey: text })
  if (key.isPrivate()) throw new Error('it is a private key, which must stay with its owner')
  await key.getEncryptionKey()
  return key
}
