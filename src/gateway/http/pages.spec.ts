import { afterAll, describe, expect, it } from 'vitest'
import { connection } from '#contract/connections.ts'
import { secrets, seedsTo, startTestGateway, startUpstream } from '../testing/testGateway.ts'

const upstream = await startUpstream()
const oddName = `<script>"'&</script>__CSP_NONCE__`
const [first, ...others] = seedsTo(upstream.url)
if (!first) throw new Error('the kit has connections')
const gateway = await startTestGateway(upstream, { seeds: [{ ...first, name: oddName }, ...others] })
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const page = async (cookie?: string, path = '/c/oss/alerts') => {
  const answer = await fetch(gateway.address + path, { headers: cookie === undefined ? {} : { cookie } })
  return answer.text()
}
const stateOf = (text: string) => /name="first-state" content="([^"]*)"/.exec(text)?.[1]
const entities: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>' }
const decoded = (text = '') => text.replace(/&\w+;/g, (entity) => entities[entity] ?? entity)

describe('data embedded in the page', () => {
  it('includes session and connections for a signed-in user', async () => {
    const text = await page(gateway.cookie)
    expect(text).not.toContain(oddName)
    const state = JSON.parse(decoded(stateOf(text))) as { session: unknown; connections: unknown[] }
    expect(state.session).toEqual({ signedIn: true, passwordOffered: true, build: 'test' })
    expect(state.connections).toEqual((await gateway.call('GET', '/api/connections')).json)
    expect(connection.array().parse(state.connections)[0]?.name).toBe(oddName)
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
  })

  it('is empty for anyone else', async () => {
    expect(stateOf(await page())).toBe('')
    expect(stateOf(await page('stack_console_0=guessed'))).toBe('')
  })

  it.each([
    ['/c/oss/alerts', '/assets/page-4f2a.js'],
    ['/c/other/alerts/?q=a', '/assets/page-4f2a.js'],
    ['/c/oss/anything', '/assets/any-1.js'],
    ['/c/oss/alerts/1', undefined],
    ['/sign-in', undefined],
  ])('preloads the chunks of %s and of the shell', async (path, href) => {
    const links = [...(await page(undefined, path)).matchAll(/<link rel="modulepreload" crossorigin href="([^"]*)">/g)]
    expect(links.map((link) => link[1])).toEqual(href === undefined ? [] : [href])
  })

  it('does not serve the list of chunks', async () => {
    expect((await fetch(`${gateway.address}/.pages.json`)).status).toBe(404)
  })
})
