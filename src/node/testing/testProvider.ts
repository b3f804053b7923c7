/** For tests: starts an OpenID Connect provider, and signs in to it as a browser does. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { importPKCS8, SignJWT } from 'jose'
import type { ProviderFault, ProviderOrder, ProviderStarted } from './oidcProvider.ts'
import { program } from './program.ts'

const testClient = { clientId: 'console', clientSecret: 'client-secret-SEEDED-of-the-console-0123456789' }

interface ProviderPlace {
  ids?: string[]
  /** The origins of the consoles that send people to it, and of the back channel. */
  origins: string[]
  /** Environment variables beside the usual ones. */
  env?: Record<string, string>
}

export async function startTestProvider({ ids = ['test'], origins, env }: ProviderPlace) {
  const { file, execArgv } = program(join(import.meta.dirname, 'oidcProvider.ts'))
  const child = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { ...process.env, ...env } })
  const order = async (providerOrder: ProviderOrder) => {
    child.send(providerOrder)
    for (;;) {
      const [message] = await once(child, 'message')
      if (message === 'done') return
    }
  }
  const started = new Promise<ProviderStarted>((ready, fail) => {
    child.on('message', (message: ProviderStarted | 'done') => message !== 'done' && ready(message))
    child.once('exit', () => fail(new Error('The provider ended.')))
  })
  await order({
    clients: [
      {
        client_id: testClient.clientId,
        client_secret: testClient.clientSecret,
        redirect_uris: origins.flatMap((origin) => ids.map((id) => `${origin}/sign-in/${id}`)),
        post_logout_redirect_uris: origins.map((origin) => `${origin}/sign-in`),
        backchannel_logout_uri: `${origins[0]}/sign-out/${ids[0]}`,
        backchannel_logout_session_required: true,
      },
    ],
  })
  const { issuer, privateKey, kid } = await started
  const key = await importPKCS8(privateKey, 'RS256')
  return {
    issuer,
    /** The settings of the console for it. */
    settings: { issuer, ...testClient, allowPrivate: true, scopes: ['openid', 'email', 'profile', 'groups'] },
    setAccount: (name: string, claims: Record<string, unknown>) => order({ accounts: { [name]: claims } }),
    setFault: (fault: ProviderFault | null) => order({ fault }),
    /** A token with its signature. */
    sign: (claims: Record<string, unknown>, header: Record<string, unknown> = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key),
    stop: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

export type TestProvider = Awaited<ReturnType<typeof startTestProvider>>

/** A browser that has cookies of the provider only. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>()

  /** Follows an address of the provider until it sends the browser elsewhere. @param login signs in with it where asked */
  async follow(address: string, login?: string): Promise<string> {
    const { origin } = new URL(address)
    let url = address
    for (let hop = 0; hop < 12; hop++) {
      const { response, text } = await this.get(url)
      const location = response.headers.get('location')
      if (location !== null) {
        url = new URL(location, url).href
        if (new URL(url).origin !== origin) return url
        continue
      }
      if (!text.includes('name="login"') || login === undefined) throw new Error(`${response.status} ${url}: ${text}`)
      const action = /action="([^"]+)"/.exec(text)?.[1] ?? ''
      const form = new URLSearchParams({ prompt: 'login', login, password: 'any' })
      const next = (await this.get(new URL(action, url).href, form)).response.headers.get('location')
      url = new URL(next ?? '', url).href
    }
    throw new Error(`The provider does not come to an end: ${url}`)
  }

  async get(url: string, form?: URLSearchParams): Promise<{ response: Response; text: string }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return { response, text: await response.text() }
  }
}
