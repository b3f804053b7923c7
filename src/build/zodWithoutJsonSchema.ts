import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const prefix = '\0without-json-schema:'

/**
 * Leaves the JSON Schema part of zod out of the page: every schema carries it along, 7 KiB of gzip, and the page derives
 * none. Only the methods of schemas are replaced, so that `z.toJSONSchema` would still be loaded.
 */
export function zodWithoutJsonSchema(): Plugin {
  return {
    name: 'zod-without-json-schema',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!/json-schema(?:-processors)?\.js$/.test(source) || !importer?.endsWith('/zod/v4/classic/schemas.js'))
        return null
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found && { id: prefix + found.id, moduleSideEffects: false }
    },
    load(id) {
      if (!id.startsWith(prefix)) return null
      const names = readFileSync(id.slice(prefix.length), 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)
      return [...names].map(([, name]) => `export const ${name} = () => undefined`).join('\n')
    },
  }
}
