/** Shows its content once it is near the visible part of the page: pictures are below the figures, and load later. */
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Loading } from '../page/page.tsx'

export const WhenSeen = ({ rows, children }: { rows: number; children: ReactNode }) => {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (ref.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      {
        rootMargin: '200px',
      },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  if (isSeen) return <Suspense fallback={<Loading rows={rows} />}>{children}</Suspense>
  return <div ref={ref} style={{ minHeight: rows * 44 }} />
}
