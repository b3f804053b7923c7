/** Names for files and variables. */

/** Letters, digits and hyphens: safe on every file system. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const slug = plain.replace(/[^\p{Letter}\p{Number}]+/gu, '-').replace(/^-+|-+$/g, '')
  return slug.slice(0, 80) || 'unnamed'
}
