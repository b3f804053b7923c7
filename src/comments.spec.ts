/** Comments and documents: places that they name exist, and comments say what a thing is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`)
const documents = ['README.md', 'CONTRIBUTING.md', ...filesOf('docs').filter((file) => file.endsWith('.md'))]
const sources = ['src', 'e2e', 'bench', 'soak'].flatMap(filesOf).filter((file) => /\.(?:tsx?|css|js)$/.test(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The anchor that a heading of Markdown has. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const anchors = new Map(
  documents.map((file) => [
    file,
    new Set([...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text))),
  ]),
)

test('headings that comments name are in the document', () => {
  const missing = sources.flatMap((file) =>
    [...textOf(file).matchAll(/(docs\/[A-Z-]+\.md)((?:#|, #)[\w-]+(?:, #[\w-]+)*)/g)].flatMap(
      ([, document = '', named = '']) =>
        named
          .split(',')
          .map((anchor) => anchor.trim().slice(1))
          .filter((anchor) => !anchors.get(document)?.has(anchor))
          .map((anchor) => `${file}: ${document}#${anchor}`),
    ),
  )
  expect(missing).toEqual([])
})

test('files and headings that documents link to exist', () => {
  const missing = documents.flatMap((document) =>
    [...textOf(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)/g)].flatMap(([, path = '', anchor]) => {
      const target = path === '' ? document : join(dirname(document), path)
      if (!existsSync(join(root, target))) return [`${document}: ${path}`]
      const known = anchors.get(target)
      return anchor !== undefined && known && !known.has(anchor) ? [`${document}: ${path}#${anchor}`] : []
    }),
  )
  expect(missing).toEqual([])
})

test('files that comments name exist', () => {
  const places = new Set([...sources, ...documents, ...readdirSync(root)].map((file) => `/${file}`))
  const exists = (path: string) => [...places].some((place) => place.endsWith(`/${path}`))
  const missing = sources.flatMap((file) =>
    [...textOf(file).matchAll(/^(?: *(?:\/\*\*?| \*|\/\/) .*)$/gm)].flatMap(([line]) =>
      [...line.matchAll(/`([\w./-]+\.(?:tsx?|css|js|md))`/g)]
        .map(([, path = '']) => (path.startsWith('.') ? join(dirname(file), path) : path))
        .filter((path) => !exists(path))
        .map((path) => `${file}: ${path}`),
    ),
  )
  expect(missing).toEqual([])
})

test('no comment begins with "What"', () => {
  const pattern = /^\s*(?:\/\*\*? ?|\* |\/\/ ?)What\b/
  const found = sources.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line) => (pattern.test(line) ? [`${file}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test('comments begin with what they are about, not with a reference to it', () => {
  const pattern =
    /(?:\/\*\*(?:\n *\*)? |(?:^|\n)(?! *\/\/)[^\n]*\n *\/\/ )(?:Of|Those|That of|Whoever|Whatever)\b[^\n]*/g
  const found = sources.flatMap((file) =>
    [...textOf(file).matchAll(pattern)].map(([text]) => `${file}: ${text.trim()}`),
  )
  expect(found).toEqual([])
})

test('comments name their subject instead of "the same"', () => {
  const pattern = /\/\*\*(?:\n *\*)? The same\b[^\n]*/g
  const found = sources.flatMap((file) =>
    [...textOf(file).matchAll(pattern)].map(([text]) => `${file}: ${text.trim()}`),
  )
  expect(found).toEqual([])
})
