/** Hands the person a file that this page made. */
export function download(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads it after the click: it must still be there then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
