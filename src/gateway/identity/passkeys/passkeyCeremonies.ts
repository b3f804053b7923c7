/** Registers passkeys and signs in with them. A challenge is bound to the browser, works once, and for five minutes. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { NewPasskey, Passkey, Person } from '#contract/console/people.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { Ceremonies, type CeremonyDependencies } from '../people/ceremonies.ts'
import type { People } from '../people/people.ts'
import type { Passkeys, StoredPasskey } from './passkeys.ts'
import { isIP } from 'node:net'
import { plainHost } from '#node/net/addresses.ts'

const period = 5 * 60_000
const consoleName = 'Stack Console'

/** Imported when somebody uses a passkey: it takes a fifth of the start of a console. */
const webauthn = () => import('@simplewebauthn/server')

/** `personId`: whose passkey is registered, or expected; absent for a sign-in by any. */
const challenge = z.object({ challenge: z.string(), personId: z.string().optional() })

export interface PasskeyDependencies extends CeremonyDependencies {
  passkeys: Passkeys
  people: People
  publicUrl?: string | undefined
  hasLocalhost: boolean
}

export class PasskeyCeremonies {
  readonly #registrations: Ceremonies<typeof challenge>
  readonly #signIns: Ceremonies<typeof challenge>
  readonly #parts: PasskeyDependencies

  constructor(parts: PasskeyDependencies) {
    this.#parts = parts
    this.#registrations = new Ceremonies('registration', challenge, period, parts)
    this.#signIns = new Ceremonies('challenge', challenge, period, parts)
  }

  /** Why passkeys cannot be used at the address of a request; null if they can. */
  refusal(request: FastifyRequest): string | null {
    const party = this.#partyAt(request)
    return typeof party === 'string' ? party : null
  }

  async beginRegistration(request: FastifyRequest, reply: FastifyReply, { id, email, name }: Person) {
    const party = this.#relyingParty(request)
    const { generateRegistrationOptions } = await webauthn()
    const options = await generateRegistrationOptions({
      rpName: consoleName,
      rpID: party.id,
      // Not a name: authenticators keep it where others may read it.
      userID: new TextEncoder().encode(id),
      userName: email,
      userDisplayName: name,
      attestationType: 'none',
      excludeCredentials: await this.#parts.passkeys.credentials(id),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: period,
    })
    this.#registrations.begin(reply, { challenge: options.challenge, personId: id })
    return options
  }

  /** @returns the person's passkeys @throws invalid for what does not belong to the registration that was begun */
  async register(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    newPasskey: NewPasskey,
  ): Promise<Passkey[]> {
    const party = this.#relyingParty(request)
    const begun = this.#registrations.open(request)
    this.#registrations.end(reply)
    if (begun?.personId !== person.id)
      throw failure('invalid', 'This took too long, or was begun elsewhere. Try again.')
    const { verifyRegistrationResponse } = await webauthn()
    const verified = await verifyRegistrationResponse({
      // The library checks every part of it.
      response: newPasskey.credential as unknown as RegistrationResponseJSON,
      expectedChallenge: begun.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }).catch(() => undefined)
    if (!verified?.verified)
      throw failure('invalid', 'The browser did not create a passkey for this console. Try again.')
    if (!(await this.#registrations.use(request)))
      throw failure('invalid', 'This registration was used already. Try again.')
    const { credential, credentialBackedUp } = verified.registrationInfo
    return this.#parts.passkeys.add(person.id, newPasskey.name, credential, credentialBackedUp)
  }

  /**
   * The browser offers all passkeys of this console, whatever the e-mail address: a list for an account would tell strangers who
   * has one.
   * @param email only a passkey of this account is accepted
   */
  async beginSignIn(request: FastifyRequest, reply: FastifyReply, email: string | undefined) {
    const { generateAuthenticationOptions } = await webauthn()
    const options = await generateAuthenticationOptions({
      rpID: this.#relyingParty(request).id,
      userVerification: 'required',
      timeout: period,
    })
    const person = email === undefined ? undefined : await this.#parts.people.byEmail(email)
    this.#signIns.begin(reply, {
      challenge: options.challenge,
      ...(email !== undefined && { personId: person?.id ?? 'nobody' }),
    })
    return options
  }

  /** @param onFound called with the passkey, before it is verified @throws signedOut with the reason */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    response: { id: string },
    onFound: (passkey: StoredPasskey) => void,
  ): Promise<Person> {
    const { people, passkeys } = this.#parts
    const party = this.#relyingParty(request)
    const begun = this.#signIns.open(request)
    this.#signIns.end(reply)
    if (!begun) throw refused('This sign-in took too long, or was begun in another browser. Try again.')
    const passkey = await passkeys.find(response.id)
    if (!passkey) throw refused('This passkey is not registered here. It may have been removed.')
    onFound(passkey)
    if (begun.personId !== undefined && begun.personId !== passkey.personId) {
      throw refused('This passkey does not belong to the account with this e-mail address.')
    }
    const { verifyAuthenticationResponse } = await webauthn()
    const verified = await verifyAuthenticationResponse({
      // The library checks every part of it.
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: begun.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: passkey.credential,
    }).catch((error: unknown) => {
      throw refused(
        error instanceof Error && error.message.includes('counter')
          ? 'This passkey may have been copied: its counter is lower than at its last use. Remove it, and sign in otherwise.'
          : 'The passkey was not accepted. Try again.',
      )
    })
    if (!verified.verified) throw refused('The passkey was not accepted. Try again.')
    if (!(await this.#signIns.use(request))) throw refused('This sign-in was used already. Try again.')
    const person = await people.present(passkey.personId)
    if (!person) throw refused('This account is disabled.')
    if (!(await passkeys.noteUse(passkey.id, verified.authenticationInfo.newCounter))) {
      throw refused('This passkey was used elsewhere at the same time, or was removed. Try again.')
    }
    return person
  }

  #relyingParty(request: FastifyRequest): RelyingParty {
    const party = this.#partyAt(request)
    if (typeof party === 'string') throw failure('blocked', party)
    return party
  }

  #partyAt({ headers }: FastifyRequest): RelyingParty | string {
    const { publicUrl, hasLocalhost } = this.#parts
    return relyingPartyAt({ host: headers.host ?? '', publicUrl, hasLocalhost })
  }
}

function refused(message: string) {
  return failure('signedOut', message)
}

interface RelyingParty {
  id: string
  origin: string
}

interface ConsoleAddress {
  /** The host of the request, which the gateway serves, as the Host header spells it. */
  host: string
  publicUrl?: string | undefined
  /** Whether the console listens on this machine's own addresses, so that localhost leads to it. */
  hasLocalhost: boolean
}

/**
 * The name to which browsers bind the passkeys of this console (RP ID).
 * @returns why passkeys cannot be used at this address, as a text
 */
export function relyingPartyAt({ host, publicUrl, hasLocalhost }: ConsoleAddress): RelyingParty | string {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isPublic = known?.host === host.toLowerCase()
  const { protocol, hostname, origin, port } = isPublic ? known : new URL(`http://${host}`)
  const isAddress = isIP(plainHost(hostname)) !== 0
  if (hostname === 'localhost' || (protocol === 'https:' && !isAddress)) return { id: hostname, origin }
  if (known && !isPublic && relyingPartyIn(known)) return `Passkeys need https. Open the console as ${known.origin}.`
  if (isLoopback(hostname) && hasLocalhost) {
    const local = `http://localhost${port === '' ? '' : `:${port}`}`
    return `Passkeys need a host name instead of an IP address. Open the console as ${local}.`
  }
  if (protocol === 'https:') return 'Passkeys need a host name instead of an IP address.'
  return 'Passkeys need https. An administrator can set PUBLIC_URL to an https address.'
}

function relyingPartyIn({ protocol, hostname }: URL): boolean {
  return hostname === 'localhost' || (protocol === 'https:' && isIP(plainHost(hostname)) === 0)
}

function isLoopback(hostname: string): boolean {
  return hostname.startsWith('127.') || hostname === '[::1]'
}
