import type { Plugin } from 'vite'

/**
 * Leaves the making of JSON Schemas out of the page: only gateway and command line use it. Every schema of zod refers to its part of
 * it, so the bundler would keep all parts, a fifth of what zod takes.
 */
export function withoutJsonSchemas(): Plugin {
  return {
    name: 'without-json-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const reduced = code.replace(imported, refusing).replaceAll(processed, '')
        if (!code.match(imported) || !code.match(processed))
          this.error('Another version of zod makes JSON Schemas differently.')
        return { code: reduced, map: null }
      },
    },
  }
}

/** The methods that make one. Schemas call them when asked for their JSON Schema. */
const imported =
  /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} from "\.\.\/core\/to-json-schema\.js";$/m
const refusing = `const createToJSONSchemaMethod = () => () => { throw new Error('The page makes no JSON Schemas.') }
const createStandardJSONSchemaMethod = createToJSONSchemaMethod`

/** The part of a kind of schemas. */
const processed =
  /^ +inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+\(inst, ctx, json, params\);$/gm
