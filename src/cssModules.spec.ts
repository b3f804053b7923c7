/** Every class of a CSS module is used by a file that imports the module, and every class that is used exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const files = readdirSync(join(root, 'src/console'), { recursive: true, encoding: 'utf8' }).map((file) =>
  join('src/console', file),
)

/** The names that follow a dot in a text, each once, in the order of the text. */
function namesAfterDot(text: string, before: string): string[] {
  return [
    ...new Set([...text.matchAll(new RegExp(`${before}\\.([A-Za-z_][\\w-]*)`, 'g'))].map(([, name = '']) => name)),
  ]
}

function classesOf(module: string): string[] {
  const text = readFileSync(join(root, module), 'utf8')
  return namesAfterDot(text.replaceAll(/\/\*[^]*?\*\/|'[^']*'|"[^"]*"|:global\([^)]*\)/g, ' '), '')
}

interface Use {
  file: string
  module: string
  classes: string[]
}

/** The CSS modules that a file imports, each with the classes that the file names. */
function usesIn(file: string): Use[] {
  const text = readFileSync(join(root, file), 'utf8')
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/ .*|'[^'\n]*'/g, ' ')
  return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].map(([, name = '', specifier = '']) => ({
    file,
    module: specifier.startsWith('#')
      ? `src/${specifier.slice(1)}`
      : relative(root, resolve(root, dirname(file), specifier)),
    classes: namesAfterDot(code, `(?<![\\w.])${name}`),
  }))
}

const uses = files.filter((file) => /\.tsx?$/.test(file)).flatMap(usesIn)

test.each(files.filter((file) => file.endsWith('.module.css')))('%s has the classes that are used', (module) => {
  const classes = classesOf(module)
  const importers = uses.filter((use) => use.module === module)
  const unused = classes.filter((name) => !importers.some((use) => use.classes.includes(name)))
  const missing = importers.flatMap(({ file, classes: used }) =>
    used.filter((name) => !classes.includes(name)).map((name) => `${file} uses .${name}, which ${module} lacks`),
  )
  expect([...unused.map((name) => `${module} has .${name}, which nothing uses`), ...missing]).toEqual([])
})
