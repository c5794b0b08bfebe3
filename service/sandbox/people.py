"""Who works in the demo businesses, and where they spend."""

from service.businesses.models import Role
from service.sandbox.cast import CAST, Person

KIFARU_TEAMS = {
    "FIELD": "Field sales",
    "OFFICE": "Head office",
    "FLEET": "Fleet",
    "DEPOT": "Mombasa depot",
    "TECH": "Technology",
}
_KIFARU = {
    "FLEET": "Kevin Odhiambo, Faith Chepkoech, Brian Maina, Lucy Atieno, Dennis Kimani, Mercy Naliaka",
    "DEPOT": "Hassan Omar, Amina Said, Salim Bakari, Zainab Ali, Rashid Juma, Mwanaisha Kombo",
    "TECH": "Ian Njoroge, Grace Wambui, Victor Ochieng, Sharon Jepkosgei, Eric Mbugua, Linet Moraa",
    "FIELD": "Peter Kamande, Esther Nyambura, Joseph Kibet",
    "OFFICE": "Ruth Akinyi, Paul Gitau, Jane Muthoni",
}
_KIFARU_REVIEWERS = (
    Person("Rashida Bashir", Role.REVIEWER, "DEPOT", ("DEPOT", "FLEET")),
    Person("Timothy Koech", Role.REVIEWER, "TECH", ("TECH", "OFFICE")),
)

TULP_TEAMS = {"LAB": "Laboratory", "SALES": "Sales", "OPS": "Operations", "FIN": "Finance"}
_TULP_CAST = (
    Person("Onno Bakker", Role.CARD_USER, "LAB"),
    Person("Odette Smit", Role.REVIEWER, "LAB", ("LAB",)),
    Person("Olivier Mulder", Role.REVIEWER, "SALES", ("SALES?", "OPS")),
    Person("Olga de Vries", Role.APPROVER, "FIN"),
    Person("Ole Jansen", Role.APPROVER, "FIN"),
    Person("Ottilie Bos", Role.APPROVER, "FIN"),
    Person("Otto Visser", Role.ADMIN, "FIN"),
    Person("Oda Meijer", Role.ADMIN, "OPS"),
    Person("Oscar Peters", Role.SUPER_ADMIN, "FIN"),
    Person("Olivia Dekker", Role.SUPER_ADMIN, "FIN"),
)
_TULP = {
    "LAB": "Bram Kok, Sanne Prins, Daan Vos, Lotte Hoekstra",
    "SALES": "Femke Kuipers, Jeroen Blom, Maud Postma, Tijs Veenstra",
    "OPS": "Noor Schouten, Sven Willems, Isa van Dam, Ruben Hermans",
    "FIN": "Eva Martens, Koen Timmermans",
}


def _card_users(teams: dict[str, str]) -> tuple[Person, ...]:
    return tuple(Person(name, Role.CARD_USER, team) for team, names in teams.items() for name in names.split(", "))


KIFARU = (*CAST, *_KIFARU_REVIEWERS, *_card_users(_KIFARU))
TULP = (*_TULP_CAST, *_card_users(_TULP))
# Those who can sign in to a demo's dashboard: the cast of each business.
SIGN_IN = frozenset(person.name for person in (*CAST, *_TULP_CAST))
