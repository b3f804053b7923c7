/** The rules of docs/ARCHITECTURE.md for files and folders, checked on every import. A -> B means that A may import B. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { group } from 'd3-array'
import { expect, test } from 'vitest'
import { pages, plainPages } from './console/paths/pages.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Folders that every part of the console may import. */
const belowShell = [
  'src/contract',
  'src/domain',
  'src/console/api',
  'src/console/usages',
  'src/console/ui',
  'src/console/paths',
]

const shell = 'src/console/shell'
const charting = 'src/console/charting'
const records = 'src/console/records'
const frame = 'src/console/frame'

/** Layers (or parts of the console) and what they may import besides themselves and packages. */
const arrows: Record<string, string[]> = {
  'src/contract': [],
  // Pure rules that stack, gateway and console share.
  'src/domain': ['src/contract'],
  'src/domain/charts': [],
  'src/domain/text': [],
  'src/domain/time': [],
  'src/console/ui': ['src/domain/charts', 'src/domain/text', 'src/domain/time'],
  'src/console/paths': [],
  'src/console/api': ['src/contract'],
  'src/console/usages': ['src/contract', 'src/console/api'],
  'src/console/shell': belowShell,
  'src/console/charting': [...belowShell, shell],
  'src/console/records': [...belowShell, shell, charting],
  'src/console/frame': [...belowShell, shell, charting, records],
  'src/console/features': [...belowShell, shell, charting, records, frame],
  'src/console': ['src/contract', 'src/domain/text'],
  // Run while the console is built: it knows only which file draws which page.
  'src/build': ['src/console/paths'],
  // Shared by gateway, stack and command line.
  'src/node': ['src/contract', 'src/domain'],
  'src/gateway': ['src/contract', 'src/domain', 'src/node'],
  'src/stack': ['src/contract', 'src/domain', 'src/node'],
  // The command line: a thin layer over domain and contract.
  'src/cli': ['src/contract', 'src/domain', 'src/node'],
  'src/server': ['src/gateway', 'src/stack', 'src/node', 'src/domain', 'src/contract'],
  src: ['src/gateway', 'src/stack', 'src/node', 'src/contract'],
  // Specs across layers: the code of the console and of the command line against the gateway and the stack.
  'src/integration': [
    'src/contract',
    'src/domain',
    'src/node',
    'src/console/api',
    'src/console/charting',
    'src/console/features',
    'src/stack',
    'src/server',
    'src/cli',
  ],
  e2e: ['src/contract', 'src/domain', 'src/node', 'src/stack', 'src/server'],
  soak: ['src/contract', 'src/domain', 'src/node', 'src/stack', 'src/gateway', 'src/server', 'src'],
  bench: ['src/contract', 'src/domain', 'src/stack', 'src/gateway', 'src/console/ui', 'src'],
}

/** Packages that a pure layer may use. */
const packages: Record<string, string[]> = { 'src/contract': ['zod', 'lossless-json'] }

const files = ['src', 'e2e', 'bench', 'soak'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(js|tsx?)$/.test(file))
    .map((file) => join(folder, file)),
)

function zoneOf(file: string): string {
  const zones = Object.keys(arrows).toSorted((a, b) => b.length - a.length)
  const zone = zones.find((zone) => file === zone || file.startsWith(`${zone}/`) || file.startsWith(`${zone}.`))
  if (!zone) throw new Error(`${file} lies outside every layer`)
  return zone
}

const importsByFile = new Map(
  files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [file, [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap((match) => match[1] ?? [])]
  }),
)

const importsOf = (file: string): readonly string[] => importsByFile.get(file) ?? []

/** The file of the project that an import names, or null for a package. */
function target(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  return null
}

const isSpec = (file: string) => /\.spec\.tsx?$/.test(file)

/** Whether a layer may import a file or a package. */
function isAllowed(file: string, specifier: string): boolean {
  const zone = zoneOf(file)
  const imported = target(file, specifier)
  if (imported === null) {
    const allowed = packages[zone]
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
    return !allowed || isSpec(file) || allowed.includes(name)
  }
  if (!imported.startsWith('src/')) return true
  const other = zoneOf(imported)
  const isInside = imported === zone || imported.startsWith(`${zone}/`) || other === zone
  return isInside || (arrows[zone] ?? []).some((arrow) => other === arrow || other.startsWith(`${arrow}/`))
}

test('every file imports only what its layer may', () => {
  const refused = files.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => !isAllowed(file, specifier))
      .map((specifier) => `${file} imports ${target(file, specifier) ?? `the package ${specifier}`}`),
  )
  expect(refused).toEqual([])
})

/** The packages and files that come with a file: what it imports, and so on, without what is loaded on demand. */
function staticClosure(start: string): Set<string> {
  const found = new Set([start])
  for (const file of found) {
    if (!/\.tsx?$/.test(file) || !existsSync(join(root, file))) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(
      /^(?:import|export)(?! type)[^'\n]*(?:\n[^'\n]*)*? from '([^']+)'/gm,
    )) {
      found.add(target(file, specifier) ?? specifier)
    }
  }
  return found
}

test('plain pages are drawn without MUI', () => {
  const found = plainPages().flatMap((name) =>
    [...staticClosure(join('src/console', pages[name].file))]
      .filter((imported) => /^@(mui|emotion)\//.test(imported))
      .map((imported) => `${name}: ${imported}`),
  )
  expect(found).toEqual([])
})

test('a stack starts without the clients of sources, which take half of its start', () => {
  const closure = [...staticClosure('src/stack/startup/main.ts')]
  expect(closure).toContain('src/stack/pipes/runtime.ts')
  expect(closure.filter((imported) => /^(pg|@platformatic|@aws-sdk)\b/.test(imported))).toEqual([])
})

/** Folders of what every page is drawn with, and their parts that are loaded on demand and may use MUI. */
const plain: Record<string, string[]> = {
  'src/console/ui/base': [],
  'src/console/ui/hint': [],
  'src/console/ui/layout': ['PanelPopover.tsx'],
  'src/console/ui/table': ['ColumnsPanel.tsx', 'FilterPanel.tsx'],
  'src/console/ui/actions': ['ActionList.tsx', 'ChoiceMenu.tsx'],
  'src/console/shell/confirm': ['ConfirmDialog.tsx'],
  'src/console/frame': ['HelpSheet.tsx', 'SettingsMenu.tsx'],
  'src/console/frame/navigation': ['NavigationDrawer.tsx'],
  'src/console/frame/switcher': ['ConnectionMenu.tsx'],
}

test('frame, layout and tables are drawn without MUI', () => {
  const found = Object.entries(plain).flatMap(([folder, onDemand]) =>
    files
      .filter((file) => dirname(file) === folder && !onDemand.includes(file.slice(folder.length + 1)))
      .filter((file) => importsOf(file).some((specifier) => /^@(mui|emotion)\/|\/ui\/mui\//.test(specifier))),
  )
  expect(found).toEqual([])
})

test('pages have the fields of ui/form, not those of MUI', () => {
  const ofMui =
    /^@mui\/(?:material\/(?:Autocomplete|Checkbox|FilledInput|Form\w+|Input\w*|NativeSelect|OutlinedInput|Radio\w*|Rating|Select|Slider|Switch|TextField|ToggleButton\w*)|x-date-pickers)/
  const found = files
    .filter((file) => /^src\/console\/(?:features|frame|records|charting|shell)\//.test(file))
    .flatMap((file) => importsOf(file).flatMap((name) => (ofMui.test(name) ? `${file} imports ${name}` : [])))
  expect(found).toEqual([])
})

test('every form is made with useSchemaForm, with its rules as a schema', () => {
  const found = files
    .filter((file) => file.startsWith('src/console/') && !isSpec(file) && !file.endsWith('/useSchemaForm.ts'))
    .filter((file) => /\buseForm[<(]|@hookform\/resolvers/.test(readFileSync(join(root, file), 'utf8')))
  expect(found).toEqual([])
})

test('every query has its function: without one it is reported, and disables that of others under the same key', () => {
  const found = files
    .filter((file) => file.startsWith('src/console/') && !isSpec(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const options = [...text.matchAll(/\buseQuery\(\{[\s\S]*?\n? *\}\)/g)].map(([options]) => options)
      return options.filter((option) => !/\bqueryFn\b|\.\.\./.test(option)).map((option) => `${file}: ${option}`)
    })
  expect(found, 'reads of the cache alone use `useCached`').toEqual([])
})

test('private members of a class are named with #, so that they are private at run time as well', () => {
  const found = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(/^ *(?:private|public) (?!constructor\()[\w #]+[(:=<?!].*$/gm),
    ].map(([line]) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
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

/** Whether a spec opens an engine, by itself or with one of the helpers that it imports. */
function opensEngine(spec: string): boolean {
  const read = new Set([spec])
  for (const file of read) {
    if (/\bawait openEngine\(/.test(readFileSync(join(root, file), 'utf8'))) return true
    for (const specifier of importsOf(file)) {
      const imported = target(file, specifier)
      if (imported?.includes('/testing/') && imported.endsWith('.ts')) read.add(imported)
    }
  }
  return false
}

test('unit tests open no engine: specs that do are called x.integration.spec.ts', () => {
  const found = files.filter((file) => isSpec(file) && opensEngine(file))
  const unit = found.filter((file) => !file.endsWith('.integration.spec.ts'))
  expect(found.length).toBeGreaterThan(60)
  // Asserts that it cannot be opened.
  expect(unit).toEqual(['src/stack/telemetry/engine/engineEmbedded.spec.ts'])
})

/**
 * A file and an imported file of the project, without specs, which may import anything that their layer may. Stylesheets
 * import nothing: all folders of a feature share the one that lies beside its pages.
 */
const imports: [file: string, imported: string][] = files
  .filter((file) => !isSpec(file) && !file.includes('.e2e.'))
  .flatMap((file) =>
    importsOf(file).flatMap((specifier): [string, string][] => {
      const imported = target(file, specifier)
      const isCode = imported !== null && imported !== file && !imported.endsWith('.css')
      return isCode && existsSync(join(root, imported)) ? [[file, imported]] : []
    }),
  )

/** Groups of nodes that lead back to themselves. */
function cycles(edges: Iterable<[string, string]>): string[][] {
  const next = group(edges, ([from]) => from)
  const reachable = new Map<string, Set<string>>()
  for (const start of next.keys()) {
    const seen = new Set<string>()
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const [, to] of next.get(node) ?? []) {
        if (!seen.has(to)) open.push(to)
        seen.add(to)
      }
    }
    reachable.set(start, seen)
  }
  const found = new Map<string, string[]>()
  for (const [node, seen] of reachable) {
    if (!seen.has(node)) continue
    const circle = [...seen].filter((other) => reachable.get(other)?.has(node)).toSorted()
    found.set(circle.join(), circle)
  }
  return [...found.values()]
}

test('no files import each other in a circle', () => {
  expect(cycles(imports)).toEqual([])
})

/** For an import across folders: the two children of the nearest common parent, `.` for the files directly in it. */
function childrenOf([file, imported]: [string, string]): { parent: string; edge: [string, string] } | null {
  const from = file.split('/')
  const to = imported.split('/')
  const at = from.findIndex((part, index) => part !== to[index])
  const child = (path: string[]) => (at < path.length - 1 ? (path[at] ?? '.') : '.')
  const edge: [string, string] = [child(from), child(to)]
  return edge[0] === edge[1] ? null : { parent: from.slice(0, at).join('/'), edge }
}

test('no folders import each other in a circle, and no folder imports the files beside it that import it', () => {
  const across = imports.flatMap((one) => childrenOf(one) ?? [])
  const byParent = group(across, ({ parent }) => parent)
  const found = [...byParent].flatMap(([parent, edges]) =>
    cycles(edges.map(({ edge }) => edge)).map((circle) => `${parent}: ${circle.join(', ')}`),
  )
  expect(found).toEqual([])
})

test('a folder has at most 30 files', () => {
  const folders = group(files, (file) => dirname(file))
  const crowded = [...folders].filter(([, inside]) => inside.length > 30)
  expect(crowded.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
})
