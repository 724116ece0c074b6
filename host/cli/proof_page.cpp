// hecatomb proof html: the proof as data, and a script that shows what is unfolded.
//
// The data are lines, one a position, in the order in which they are met (breadth first): for each move "SAN UCI NEXT",
// separated by ';'. NEXT is the line of the position after it; "w" the game is over and won, "-" the page ends there. A
// line "t": a table knows.
#include <unordered_map>

#include "host/cli/proof_walk.h"
#include "host/notation/fen.h"
#include "host/notation/san.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/report/si.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr std::string_view kStyle = R"(<style>
body{font-family:sans-serif;margin:1em auto;max-width:60em;padding:0 1em}
ul{list-style:none;padding-left:1.2em;border-left:1px solid #ddd;margin:.2em 0}
summary{cursor:pointer}i{color:#777}svg{display:block;margin:.4em 0}
</style>)";

// Moves are played on an array of 64 squares (a1 first). What the rules add to from and to shows in the men: a pawn
// that goes aside onto an empty square takes en passant, a king that goes two files castles.
constexpr std::string_view kScript = R"(<script>
const D=document.getElementById('d').textContent.trim().split('\n');
const root=document.getElementById('tree'),fen=root.dataset.fen.split(' '),prover=root.dataset.prover[0];
function board(text){const b=Array(64).fill('');text.split('/').forEach((r,i)=>{let f=0;
  for(const c of r)if(c>='1'&&c<='8')f+=+c;else b[8*(7-i)+f++]=c});return b}
function square(t){return t.charCodeAt(0)-97+8*(t.charCodeAt(1)-49)}
function play(b,m){b=b.slice();const f=square(m),t=square(m.slice(2)),man=b[f],p=man.toLowerCase(),white=man!==p;
  if(p==='p'&&(t-f)%8!==0&&!b[t])b[t+(white?-8:8)]='';
  if(p==='k'&&Math.abs(t-f)===2&&(f&7)===4){const from=t>f?f+3:f-4,to=t>f?f+1:f-1;b[to]=b[from];b[from]=''}
  b[t]=m[4]?(white?m[4].toUpperCase():m[4]):man;b[f]='';return b}
function picture(b){const ns='http://www.w3.org/2000/svg',s=document.createElementNS(ns,'svg');
  s.setAttribute('viewBox','0 0 80 80');s.setAttribute('width','240');s.setAttribute('height','240');
  for(let q=0;q<64;q++){const x=10*(q&7),y=70-10*(q>>3),r=document.createElementNS(ns,'rect');
    r.setAttribute('x',x);r.setAttribute('y',y);r.setAttribute('width',10);r.setAttribute('height',10);
    r.setAttribute('fill',((q&7)+(q>>3))%2?'#eed':'#b96');s.append(r);
    if(b[q]){const t=document.createElementNS(ns,'text'),white=b[q]<'a';t.setAttribute('x',x+5);t.setAttribute('y',y+8.3);
      t.setAttribute('font-size',9.5);t.setAttribute('text-anchor','middle');t.setAttribute('fill',white?'#fff':'#000');
      t.setAttribute('stroke',white?'#000':'none');t.setAttribute('stroke-width',.3);
      t.textContent='\u265f\u265e\u265d\u265c\u265b\u265a'['pnbrqk'.indexOf(b[q].toLowerCase())]+'\ufe0e';s.append(t)}}
  return s}
function moves(i){return D[i]==='t'||!D[i]?[]:D[i].split(';').map(e=>e.split(' '))}
function number(n){return (n>>1)+(n&1?'\u2026':'.')}
function element(name,text){const e=document.createElement(name);if(text)e.textContent=text;return e}
// The moves at line i, n half-moves into the game: a reply together with the answer to it.
function unfold(parent,i,b,n,side){parent.append(picture(b));if(D[i]==='t')parent.append(element('i','won by an endgame table'));
  const ul=element('ul');parent.append(ul);
  for(const [san,uci,next] of moves(i)){let label=number(n)+san,t=next,nb=play(b,uci),m=n+1,s=side==='w'?'b':'w';
    const a=s===prover&&!isNaN(t)?moves(t)[0]:null;
    if(a){label+=' '+(m&1?'':number(m))+a[0];nb=play(nb,a[1]);t=a[2];m++;s=side}
    const li=element('li');ul.append(li);
    const end=t==='w'?root.dataset.prover+' wins':t==='-'?'\u2026':D[t]==='t'?'won by an endgame table':'';
    if(end){li.append(label+' ',element('i',end));continue}
    const d=element('details');d.append(element('summary',label));li.append(d);
    d.addEventListener('toggle',()=>unfold(d,+t,nb,m,s),{once:true})}}
unfold(root,0,board(fen[0]),2*fen[5]+(fen[1]==='b'?1:0),fen[1]);
</script>)";

class Page {
 public:
  Page(const ProofFile& file, int depth_plies, const std::function<void(const std::string&)>& write)
      : file_(file), depth_plies_(depth_plies), write_(write) {}

  bool write() {
    write_head();
    if (!is_over_in(file_, file_.problem().root)) line_of(file_.problem().root);
    for (std::size_t end = open_.size(), ply = 0; !open_.empty(); ply++, end = open_.size()) {
      std::vector<Position> now;
      now.swap(open_);
      for (std::size_t i = 0; i < end; i++) {
        if (stop_requested()) return false;
        write_line(now[i], static_cast<int>(ply));
      }
    }
    write_("</script>\n" + std::string(kScript) + "\n</body></html>\n");
    return true;
  }

 private:
  void write_head() {
    const ProofProblem& problem = file_.problem();
    const std::string name(variant_name(problem.variant)), winner(side_name(problem.prover)),
        fen = fen_of(problem.root);
    write_("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + winner + " wins " + name +
           ": " + fen + "</title>\n" + std::string(kStyle) + "</head><body>\n<h1>" + winner + " wins " + name +
           "</h1>\n<p>" + fen + "</p>\n<p>" + counted(file_.positions(), "position") + ", longest line " +
           std::to_string(file_.depth_plies()) +
           " plies. Click a line to see every reply, and what is played against it.</p>\n<noscript><p>The tree needs "
           "JavaScript.</p></noscript>\n<div id=\"tree\" data-fen=\"" +
           fen + "\" data-prover=\"" + winner + "\"></div>\n<script type=\"text/plain\" id=\"d\">\n");
  }

  /// The line on which a position stands or will stand.
  std::size_t line_of(const Position& p) {
    const auto [found, is_new] = lines_.try_emplace(hash_of(p), lines_.size());
    if (is_new) open_.push_back(p);
    return found->second;
  }

  void write_line(const Position& p, int ply) {
    const ProofProblem& problem = file_.problem();
    const ProofPlace place = place_in(file_, p);
    std::string line = place.entry && place.entry->move == kTableLeaf ? "t" : "";
    for (const Move m : moves_in(file_, place)) {
      const Position next = position_after(file_, p, m);
      if (!line.empty()) line += ';';
      line += san_of(p, m, problem.variant, problem.options) + ' ' + uci_of(m) + ' ';
      if (is_over_in(file_, next)) {
        line += 'w';
      } else {
        line += ply + 1 < depth_plies_ ? std::to_string(line_of(next)) : "-";
      }
    }
    write_(line + '\n');
  }

  const ProofFile& file_;
  int depth_plies_;
  const std::function<void(const std::string&)>& write_;
  std::unordered_map<Key, std::size_t, PositionKeyHash> lines_;
  std::vector<Position> open_;  // of the next ply, in the order of their lines
};

}  // namespace

bool write_proof_page(const ProofFile& file, int depth_plies, const std::function<void(const std::string&)>& write) {
  return Page(file, depth_plies, write).write();
}

}  // namespace hecatomb
