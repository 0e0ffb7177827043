export function ZoomButtons({ onZoom }: { onZoom: (levels: 1 | -1) => void }) {
  return (
    <div class="zoom">
      <button type="button" class="button" onClick={() => onZoom(1)}>
        <span aria-hidden="true">+</span>
        <span class="hidden">Zoom in</span>
      </button>
      <button type="button" class="button" onClick={() => onZoom(-1)}>
        <span aria-hidden="true">−</span>
        <span class="hidden">Zoom out</span>
      </button>
    </div>
  )
}
