/**
 * Sign-in with OpenID Connect providers, in two requests of the page.
 *
 * The first request makes state, nonce and PKCE verifier, seals them into a `SameSite=Strict` cookie (`people/ceremonies.ts`)
 * and returns the address of the provider. The provider sends the browser to `/sign-in/{id}`, without the cookie, because
 * the request comes from another site. That page removes the response from its address and posts it to `/api/session`, a
 * request of its own site, which has the cookie. So only the browser that began a sign-in can finish it. The redirect URI
 * names the provider, and the response must name the issuer where the provider does so: the response of one provider never
 * finishes a sign-in with another.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { providerProof } from '#contract/console/people.ts'
import { failure, refusal } from '#node/upstream/apiFailure.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import { Ceremonies, type CeremonyDependencies } from '../people/ceremonies.ts'
import { Provider, transaction, type Confirmed, type Transaction } from './provider.ts'
import type { ProviderSettings } from './providerSettings.ts'

/** Milliseconds in which somebody signs in at the provider. */
const period = 15 * 60_000

export interface Finished {
  provider: Provider
  confirmed: Confirmed
}

interface OidcDependencies extends CeremonyDependencies {
  /** The path before that of every page; empty without one. */
  basePath: string
}

export class Oidc {
  readonly #providers: ReadonlyMap<string, Provider>
  readonly #transactions: Ceremonies<typeof transaction>
  readonly #connections: Ceremonies<typeof transaction>
  readonly #basePath: string

  constructor(settings: readonly ProviderSettings[], egress: Egress, parts: OidcDependencies) {
    this.#basePath = parts.basePath
    this.#providers = new Map(settings.map((setting) => [setting.id, new Provider(setting, egress)]))
    this.#transactions = new Ceremonies('provider', transaction, period, parts)
    this.#connections = new Ceremonies('connect', transaction, period, parts)
  }

  /** For the sign-in page. */
  get offered(): { id: string; label: string }[] {
    return [...this.#providers.values()].map(({ settings: { id, label } }) => ({ id, label }))
  }

  /** @throws notFound */
  get(id: string): Provider {
    const found = this.#providers.get(id)
    if (!found) throw failure('notFound', 'This provider is not configured any more.')
    return found
  }

  find(id: string): Provider | undefined {
    return this.#providers.get(id)
  }

  /** @param personId whose account is connected; absent for a sign-in @returns where the browser has to go */
  async begin(request: FastifyRequest, reply: FastifyReply, id: string, personId?: string): Promise<{ url: string }> {
    const provider = this.get(id)
    const begun = await provider.begin(`${originOf(request)}${this.#basePath}/sign-in/${id}`, personId)
    this.#ceremonies(personId).begin(reply, begun.transaction)
    return { url: begun.url }
  }

  /** Whether this browser began a sign-in. Anybody can lead a browser to the page with an answer, but not to that. */
  hasBegun(request: FastifyRequest): boolean {
    return this.#transactions.open(request) !== undefined
  }

  /** @throws signedOut for an answer that does not belong to what this browser began; unreachable */
  async finish(
    request: FastifyRequest,
    reply: FastifyReply,
    proof: z.output<typeof providerProof>,
    personId?: string,
  ): Promise<Finished> {
    const provider = this.get(proof.provider)
    const ceremonies = this.#ceremonies(personId)
    const begun = ceremonies.open(request)
    ceremonies.end(reply)
    if (!begun || !isOwn(begun, proof.provider, personId)) {
      throw failure(
        'signedOut',
        `This sign-in with ${provider.settings.label} took too long, or was begun in another window or browser. Start again.`,
      )
    }
    const confirmed = await provider.finish(begun, proof.answer)
    if (!(await ceremonies.use(request))) {
      throw failure('signedOut', `This sign-in with ${provider.settings.label} was used already. Start again.`)
    }
    return { provider, confirmed }
  }

  #ceremonies(personId: string | undefined) {
    return personId === undefined ? this.#transactions : this.#connections
  }
}

/** The answer of one provider never finishes what was begun with another (mix-up), or by somebody else. */
function isOwn(begun: Transaction, provider: string, personId: string | undefined): boolean {
  return begun.provider === provider && begun.personId === personId
}

/** The origin of the page that sent the request. The request guard has compared it with the hosts of the console. */
function originOf({ headers }: FastifyRequest): string {
  if (headers.origin === undefined) throw refusal(403, 'Start the sign-in on the sign-in page.')
  return headers.origin
}
