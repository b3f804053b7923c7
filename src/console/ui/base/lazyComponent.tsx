import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** A component whose code is loaded on first use, or earlier by `preload`. */
type LazyComponent<Props> = ((props: Props) => ReactNode) & { preload: () => void }

/**
 * Like React.lazy without Suspense, which would delay the content by 300 ms: renders nothing until the code is loaded,
 * then the component immediately. Code that cannot be loaded is an error of its page.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  /** Shown until the code is loaded, instead of nothing. */
  Outline?: ComponentType<Props>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const start = () =>
    (loading ??= load().then(
      (component) => (loaded = component),
      (error: unknown) => {
        // The next use tries again.
        loading = undefined
        throw error
      },
    ))

  function Part(props: Props) {
    // A component is a function: React would call it for the first state.
    const [, setArrived] = useState<unknown>(() => loaded)
    useEffect(() => {
      let isMounted = true
      // Also covers code that arrived since the last render.
      start().then(
        (component) => isMounted && setArrived(() => component),
        (error: unknown) =>
          isMounted &&
          setArrived(() => {
            throw error
          }),
      )
      return () => {
        isMounted = false
      }
    }, [])
    const Component = loaded
    if (Component) return <Component {...props} />
    return Outline ? <Outline {...props} /> : null
  }
  // A preload that fails is tried again by the use, which shows the error.
  return Object.assign(Part, { preload: () => void start().catch(() => undefined) })
}
