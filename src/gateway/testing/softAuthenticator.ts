/** For tests: an authenticator in software that makes passkeys, and can be told to do it wrong. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Wrong {
  origin?: string
  rpId?: string
  challenge?: string
  userVerified?: boolean
  counter?: number
  type?: string
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()

export class SoftAuthenticator {
  readonly id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** @param options as the console sends them */
  create(options: { challenge: string; rp: { id: string } }, wrong: Wrong = {}) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    // COSE: EC2 key, ES256, P-256, x, y.
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const length = Buffer.from([0, this.id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key])
    const data = Buffer.concat([this.#data(options.rp.id, 0x40, wrong), attested])
    // CBOR: { fmt: "none", attStmt: {}, authData: bytes }
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, wrong),
      attestationObject: base64url(attestation),
      transports: ['internal', 'of-the-future'],
    })
  }

  get(options: { challenge: string; rpId: string }, wrong: Wrong = {}) {
    const data = this.#data(options.rpId, 0, wrong)
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, wrong)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.#credential({
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
    })
  }

  #credential<R>(response: R) {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #data(rpId: string, more: number, { rpId: other, userVerified = true, counter }: Wrong): Buffer {
    const flags = 0x01 | (userVerified ? 0x04 : 0) | more
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? ++this.#counter)
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([flags]), count])
  }

  #clientData(type: string, challenge: string, wrong: Wrong): string {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false }
    return base64url(JSON.stringify({ ...data, ...pick(wrong) }))
  }
}

function pick({ origin, challenge, type }: Wrong) {
  return { ...(origin && { origin }), ...(challenge && { challenge }), ...(type && { type }) }
}
