/** An SVG document as a PNG with `density` pixels for one of the screen. Throws if the browser cannot draw it. */
export async function svgToPng(svg: string, density = 2): Promise<Blob> {
  const image = new Image()
  // As data and not as a blob: the page's own rules allow images from nowhere else.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * density
  canvas.height = image.naturalHeight * density
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((done, fail) => {
    canvas.toBlob(
      (blob) => (blob && context ? done(blob) : fail(new Error('The browser could not create the image.'))),
      'image/png',
    )
  })
}
