import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { expect, test } from 'vitest'
import { pageContract } from './pageContract.ts'

const root = join(import.meta.dirname, '../..')

test('the console uses nothing that its build leaves out', () => {
  const folder = join(root, 'src/console')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(500)
  const using = files.filter((file) => /strictBody/.test(readFileSync(join(folder, file), 'utf8')))
  expect(using).toEqual([])
})

test('leaves out strict bodies with their schemas', async () => {
  const page = `import { alerts } from '${join(root, 'src/contract/stack/alerts.ts')}'
    export const parts = Object.values(alerts).map(({ body, result }) => [body, result])`
  const entry = join(root, 'src/page-under-test.js')
  const code = async (plugins: Plugin[]) => {
    const given = {
      name: 'page-under-test',
      resolveId: (id: string) => (id === entry ? id : null),
      load: (id: string) => (id === entry ? page : null),
    }
    const lib = { entry, formats: ['es' as const] }
    const built = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [given, ...plugins],
      build: { write: false, minify: false, lib },
    })
    return [built]
      .flat()
      .flatMap((one) => ('output' in one ? one.output.map((file) => ('code' in file ? file.code : '')) : []))
      .join('')
  }
  const [whole, reduced] = [await code([]), await code([pageContract()])]
  expect(whole).toContain('alertInputStrict')
  expect(reduced).not.toContain('alertInputStrict')
  // The schemas of requests and responses stay.
  for (const name of ['alertInput = ', 'alertEvaluations']) expect(reduced).toContain(name)
})
