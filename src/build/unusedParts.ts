import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

interface UnusedPart {
  /** The modules that import it. */
  importer: RegExp
  /** As they import it. */
  module: RegExp
  /** What they import instead. Without, all of its functions return undefined. */
  replacement?: (file: string) => string
}

/** Parts of libraries that the page would load and never use: the libraries choose between them while they run. */
const unusedParts: readonly UnusedPart[] = [
  // Every schema of zod can be derived as JSON Schema, 7 KiB of gzip. `z.toJSONSchema` itself would still be loaded.
  { importer: /\/zod\/v4\/classic\/schemas\.js$/, module: /json-schema(?:-processors)?\.js$/ },
  // recharts chooses the ticks of an axis with decimals, 7 KiB. Ours are given (`PlotChart`); a pie has no axis.
  { importer: /\/recharts\/es6\/util\/scale\/index\.js$/, module: /^\.\/getNiceTickValues$/ },
  // It has scales of every kind, 6 KiB. Ours are those of numbers and categories.
  {
    importer: /\/recharts\/es6\/state\/selectors\/combiners\/\w+\.js$/,
    module: /^victory-vendor\/d3-scale$/,
    replacement: (file) => `export { scaleBand, scaleLinear, scalePoint } from ${JSON.stringify(file)}`,
  },
  // They lead to numbers, colors, texts or dates, 8 KiB. Ours lead to pixels.
  {
    importer: /\/d3-scale\.mjs$/,
    module: /^d3-interpolate$/,
    replacement: () => `
      export const interpolateNumber = (a, b) => (t) => a * (1 - t) + b * t
      export const interpolateRound = (a, b) => (t) => Math.round(a * (1 - t) + b * t)
      export { interpolateNumber as interpolate }
      export const piecewise = undefined
    `,
  },
]

const prefix = '\0used-part:'

/** Leaves the unused parts of libraries out of the page. */
export function withoutUnusedParts(): Plugin {
  return {
    name: 'without-unused-parts',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer = '') {
      const at = unusedParts.findIndex((part) => part.module.test(source) && part.importer.test(importer))
      const found = at < 0 ? null : await this.resolve(source, importer, { skipSelf: true })
      return found && { id: `${prefix}${at}:${found.id}`, moduleSideEffects: false }
    },
    load(id) {
      if (!id.startsWith(prefix)) return null
      const [, at, file = ''] = /^(\d+):(.*)$/.exec(id.slice(prefix.length)) ?? []
      return unusedParts[Number(at)]?.replacement?.(file) ?? withoutResults(file)
    },
  }
}

/** The functions of a module, without what they do. */
function withoutResults(file: string): string {
  const names = readFileSync(file, 'utf8').matchAll(/^export (?:const|function|var) (\w+)/gm)
  return [...names].map(([, name]) => `export const ${name} = () => undefined`).join('\n')
}
