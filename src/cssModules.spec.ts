/**
 * Every class of a CSS module is used by a file that imports the module, every class that is used exists, and a folder of the
 * console has few CSS modules.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { group } from 'd3-array'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const files = readdirSync(join(root, 'src/console'), { recursive: true, encoding: 'utf8' }).map((file) =>
  join('src/console', file),
)

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The names that follow a dot in a text, each once, in the order of the text. */
function namesAfterDot(text: string, before: string): string[] {
  return [
    ...new Set([...text.matchAll(new RegExp(`${before}\\.([A-Za-z_][\\w-]*)`, 'g'))].map(([, name = '']) => name)),
  ]
}

function classesOf(module: string): string[] {
  const text = textOf(module)
  return namesAfterDot(text.replaceAll(/\/\*[^]*?\*\/|'[^']*'|"[^"]*"|:global\([^)]*\)/g, ' '), '')
}

interface Use {
  file: string
  module: string
  classes: string[]
}

/** The CSS modules that a file imports, each with the classes that the file names. */
function usesIn(file: string): Use[] {
  const text = textOf(file)
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/ .*|'[^'\n]*'/g, ' ')
  return [...text.matchAll(/^import \* as (\w+) from '([^']+\.module\.css)'/gm)].map(
    ([, name = '', specifier = '']) => ({
      file,
      module: specifier.startsWith('#')
        ? `src/${specifier.slice(1)}`
        : relative(root, resolve(root, dirname(file), specifier)),
      classes: namesAfterDot(code, `(?<![\\w.])${name}`),
    }),
  )
}

const uses = files.filter((file) => /\.tsx?$/.test(file)).flatMap(usesIn)

const modules = files.filter((file) => file.endsWith('.module.css'))

test.each(modules)('%s has the classes that are used', (module) => {
  const classes = classesOf(module)
  const importers = uses.filter((use) => use.module === module)
  const unused = classes.filter((name) => !importers.some((use) => use.classes.includes(name)))
  const missing = importers.flatMap(({ file, classes: used }) =>
    used.filter((name) => !classes.includes(name)).map((name) => `${file} uses .${name}, which ${module} lacks`),
  )
  expect([...unused.map((name) => `${module} has .${name}, which nothing uses`), ...missing]).toEqual([])
})

test('names of classes can be written into the code that uses them', () => {
  const nameOf = (file: string) => basename(file, '.module.css')
  const twice = [...group(modules, nameOf).values()].filter((same) => same.length > 1)
  const names = modules.flatMap((module) => classesOf(module).filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name)))
  const otherImports = files.filter(
    (file) => /\.tsx?$/.test(file) && /^import \w+ from '[^']+\.module\.css'/m.test(textOf(file)),
  )
  expect({ twice, names, otherImports }).toEqual({ twice: [], names: [], otherImports: [] })
})

test('a feature has at most two stylesheets, or more that have 300 lines on average', () => {
  const features = group(modules, (file) => /^src\/console\/features\/\w+/.exec(file)?.[0])
  features.delete(undefined)
  const linesOf = (sheets: string[]) => sheets.reduce((sum, file) => sum + textOf(file).split('\n').length, 0)
  expect([...features.values()].filter((sheets) => sheets.length > Math.max(2, linesOf(sheets) / 300))).toEqual([])
})

test('every stylesheet is in the cascade', () => {
  const cascade = textOf('src/console/stylesheets.ts')
  expect(modules.filter((file) => !cascade.includes(`'./${relative('src/console', file)}'`))).toEqual([])
})
