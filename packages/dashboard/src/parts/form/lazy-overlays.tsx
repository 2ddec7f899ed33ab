/**
 * Dialogs, drawers and fields that open a dropdown, under the library's own names, loaded when they are first shown. Their
 * code is a third of the library, and no screen needs it before a click. The file is prefetched a few seconds after the page.
 */
import { type ColorInputProps, type DrawerProps, type ModalProps, Skeleton, type TagsInputProps } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { loadFile } from '../../api/load-file.ts'

type Overlays = typeof import('./overlays.ts')

const lazyOverlay = <Props,>(pick: (overlays: Overlays) => ComponentType<Props>) =>
  lazy(async () => ({ default: pick(await loadFile(() => import('./overlays.ts'))) }))

const LazyModal = lazyOverlay<ModalProps>(({ Modal }) => Modal)
const LazyDrawer = lazyOverlay<DrawerProps>(({ Drawer }) => Drawer)
const LazyTagsInput = lazyOverlay<TagsInputProps>(({ TagsInput }) => TagsInput)
const LazyColorInput = lazyOverlay<ColorInputProps>(({ ColorInput }) => ColorInput)

/** Returns the focus when a dialog is closed. Dialogs here are closed by unmounting, and then the library does not do it. */
const useFocusReturn = (): void => {
  const [previousFocus] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // Deferred until the dialog has left the page; not if something else took the focus.
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (isFree && previousFocus instanceof HTMLElement && previousFocus.isConnected)
          previousFocus.focus({ preventScroll: true })
      })
    },
    [previousFocus],
  )
}

export const Modal = (props: ModalProps) => {
  useFocusReturn()
  return (
    <Suspense fallback={null}>
      <LazyModal {...props} />
    </Suspense>
  )
}

export const Drawer = (props: DrawerProps) => {
  useFocusReturn()
  return (
    <Suspense fallback={null}>
      <LazyDrawer {...props} />
    </Suspense>
  )
}

/** As high as a field with its label, so that nothing moves when the field is loaded. */
const fieldSkeleton = <Skeleton height={60} radius={8} />

export const TagsInput = (props: TagsInputProps) => (
  <Suspense fallback={fieldSkeleton}>
    <LazyTagsInput {...props} />
  </Suspense>
)

export const ColorInput = (props: ColorInputProps) => (
  <Suspense fallback={fieldSkeleton}>
    <LazyColorInput {...props} />
  </Suspense>
)
