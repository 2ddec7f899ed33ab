/**
 * The script of the buyer's page, sent inside it and allowed by its hash. The page also works without it. The script copies
 * numbers and the receipt's link, prints, counts down the last ten minutes, and reloads the page when its state has changed.
 * The countdown begins at the request for the page, so that after a slow answer it does not show more time than there is.
 * Changes come over server-sent events. The script also polls, at once when the page becomes visible and every 20 seconds,
 * because phones drop connections in the background. A change that concerns only the wallet does not reload a page on which
 * the buyer is typing. The script redirects to the shop once: a buyer who comes back to the receipt stays there. In a frame
 * it sends the checkout's state to the sites that may show the page, and does not redirect.
 */
export const script = `
(function(){var d=document,w=window;d.documentElement.className='js';
d.addEventListener('DOMContentLoaded',function(){var s=d.body.dataset;
d.addEventListener('click',function(e){var c=e.target.closest&&e.target.closest('[data-copy],[data-print]');if(!c)return;if('print' in c.dataset)return w.print();if(!navigator.clipboard)return;
navigator.clipboard.writeText(c.dataset.copy||location.origin+location.pathname).then(function(){var t=c.label=c.label||c.textContent;c.textContent=s.copied;clearTimeout(c.timer);c.timer=setTimeout(function(){c.textContent=t},1500)})});
function go(){location.replace(s.url)}
function base(k){return k.split('~')[0]}
function see(k){var t=d.querySelector('textarea');if(base(k)!==base(s.state)||k!==s.state&&!(t&&t.value))go()}
if(w.parent!==w){if(s.frames)s.frames.split(' ').forEach(function(o){w.parent.postMessage({type:'sanad.checkout',status:s.state.split('.')[0]},o)})}
else if(s.back&&!history.state)setTimeout(function(){history.replaceState(1,'');location.assign(s.back)},3000);
var l=d.querySelector('[data-left]');
if(l){var q=performance.getEntriesByType('navigation')[0],n=q?q.requestStart:0,m=+l.dataset.left;setInterval(function(){var r=Math.ceil((m-(performance.now()-n))/1000);if(r<=0)return go();
if(r<=600)l.textContent=l.dataset.words.replace('{time}',Math.floor(r/60)+':'+('0'+r%60).slice(-2))},1000)}
if(!s.live)return;
function ask(){fetch(s.live+'/state/',{cache:'no-store'}).then(function(r){return r.ok?r.text():s.state}).then(see).catch(function(){})}
d.addEventListener('visibilitychange',function(){if(!d.hidden)ask()});
w.addEventListener('pageshow',function(e){if(e.persisted)ask()});
setInterval(ask,20000);
if(w.EventSource){new EventSource(s.live+'/stream/').onmessage=function(e){if(e.data!==base(s.state))go()}}
})})()
`.trim()
