import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { withoutJsonSchemas } from './withoutJsonSchemas.ts'

const root = join(import.meta.dirname, '../..')

test('the console makes no JSON Schemas', () => {
  const folder = join(root, 'src/console')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => /toJSONSchema/.test(readFileSync(join(folder, file), 'utf8')))).toEqual([])
})

test('zod is smaller without them, and checks values as before', async () => {
  const entry = join(root, 'src/page-under-test.js')
  const page = `import { z } from 'zod'
    const shape = z.object({ name: z.string().max(3), size: z.number().min(1).optional() })
    export const accepts = (value) => shape.safeParse(value).success
    export const longest = shape.shape.name.maxLength
    export const asJsonSchema = () => shape.toJSONSchema()`
  const given = {
    name: 'page-under-test',
    resolveId: (id: string) => (id === entry ? id : null),
    load: (id: string) => (id === entry ? page : null),
  }
  const codeWith = async (isReduced: boolean) => {
    const built = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: isReduced ? [given, withoutJsonSchemas()] : [given],
      build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
    })
    return [built]
      .flat()
      .flatMap((output) => ('output' in output ? output.output.map((file) => ('code' in file ? file.code : '')) : []))
      .join('')
  }
  const [whole, reduced] = [await codeWith(false), await codeWith(true)]
  expect(whole).toContain('$defs')
  expect(reduced).not.toContain('$defs')
  const { accepts, longest, asJsonSchema } = await import(`data:text/javascript,${encodeURIComponent(reduced)}`)
  expect([accepts({ name: 'abc' }), accepts({ name: 'abcd' }), accepts({ name: 'a', size: 0 })]).toEqual([
    true,
    false,
    false,
  ])
  expect(longest).toBe(3)
  expect(asJsonSchema).toThrow('The page makes no JSON Schemas.')
})
