import { join } from 'node:path'
import { createServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { classNames } from './classNames.ts'

const root = join(import.meta.dirname, '../..')
const stylesheet = '/src/console/ui/base/base.module.css'

test('while developing, a stylesheet that was edited replaces itself, without a reload of the page', async () => {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, watch: { ignored: '**' } },
    plugins: [classNames()],
  })
  onTestFinished(() => server.close())
  const { client } = server.environments
  const compiled = await client.transformRequest(stylesheet)
  expect(compiled?.code).toContain('import.meta.hot?.accept()')

  const send = vi.spyOn(client.hot, 'send')
  server.watcher.emit('change', join(root, stylesheet))
  await expect.poll(() => send.mock.calls).toEqual([[expect.objectContaining({ type: 'update' })]])
})
