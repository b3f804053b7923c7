/** The arrows of docs/ARCHITECTURE.md, checked on every import. A -> B means that A may import B. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Layer (or part of the console) to what it may import besides itself and packages. */
const arrows: Record<string, string[]> = {
  'src/contract': [],
  'src/console/ui': [],
  'src/console/paths': ['src/contract'],
  'src/console/api': ['src/contract'],
  'src/console/telemetry': ['src/contract', 'src/console/api'],
  'src/console/references': ['src/contract', 'src/console/api'],
  'src/console/shell': [
    'src/contract',
    'src/console/api',
    'src/console/telemetry',
    'src/console/references',
    'src/console/ui',
    'src/console/paths',
  ],
  'src/console/features': [
    'src/contract',
    'src/console/api',
    'src/console/telemetry',
    'src/console/references',
    'src/console/ui',
    'src/console/paths',
    'src/console/shell',
  ],
  'src/console': ['src/contract'],
  'src/console/pageFiles': [],
  // Run while the page is built: what leads where is all that it knows of the page.
  'src/build': ['src/console/pageFiles'],
  // What gateway and stack share beside the contract.
  'src/node': [],
  'src/gateway': ['src/contract', 'src/node'],
  'src/stack': ['src/contract', 'src/node'],
  'src/server': ['src/gateway', 'src/stack', 'src/node', 'src/contract'],
  src: ['src/gateway', 'src/stack', 'src/node', 'src/contract'],
  // Specs across layers: the console's own code against the gateway and the stack.
  'src/integration': [
    'src/contract',
    'src/console/api',
    'src/console/telemetry',
    'src/console/features',
    'src/stack',
    'src/server',
  ],
  e2e: ['src/contract', 'src/stack', 'src/server'],
  soak: ['src/contract', 'src/stack', 'src/gateway', 'src/server'],
  bench: ['src/contract', 'src/stack', 'src/gateway', 'src/console/ui'],
}

/** Packages that a pure layer may use. */
const packages: Record<string, string[]> = { 'src/contract': ['zod', 'lossless-json'] }

const files = ['src', 'e2e', 'bench', 'soak'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
)

function zoneOf(file: string): string {
  const zones = Object.keys(arrows).toSorted((a, b) => b.length - a.length)
  const zone = zones.find((zone) => file === zone || file.startsWith(`${zone}/`) || file.startsWith(`${zone}.`))
  if (!zone) throw new Error(`${file} lies outside every layer`)
  return zone
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap((match) => match[1] ?? [])
}

/** The file of the project that an import names, or null for a package. */
function target(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  return null
}

const isSpec = (file: string) => /\.spec\.tsx?$/.test(file)

test.each(files)('%s imports only what its layer may', (file) => {
  const zone = zoneOf(file)
  for (const specifier of importsOf(file)) {
    const imported = target(file, specifier)
    if (imported === null) {
      const allowed = packages[zone]
      const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0]
      if (allowed && !isSpec(file)) expect(allowed, `${file} imports the package ${specifier}`).toContain(name)
      continue
    }
    if (!imported.startsWith('src/')) continue
    const other = zoneOf(imported)
    const inside = imported === zone || imported.startsWith(`${zone}/`)
    const allowed =
      inside || other === zone || (arrows[zone] ?? []).some((arrow) => other === arrow || other.startsWith(`${arrow}/`))
    expect(allowed, `${file} imports ${imported}`).toBe(true)
  }
})

test('no feature imports another feature', () => {
  const featureOf = (file: string) => /^src\/console\/features\/([^/]+)\//.exec(file)?.[1]
  const crossings = files
    .filter((file) => featureOf(file))
    .flatMap((file) =>
      importsOf(file)
        .map((specifier) => target(file, specifier))
        .filter((imported) => imported !== null && featureOf(imported) && featureOf(imported) !== featureOf(file))
        .map((imported) => `${file} -> ${imported}`),
    )
  expect(crossings).toEqual([])
})
